import { reportAsJson, upToDate } from './commands/generate-report.js';
import { quickCheck } from './quick-check.js';

/** By default, the first Ctrl-C ends the process, as for any program. A watching command shuts down cleanly instead. */
function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
  return stopped.signal;
}

// `| head` closes the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const args = process.argv.slice(2);

/**
 * Fast path for the check that runs before every commit and in every pipeline. The modules that it avoids take longer
 * to load than the check.
 */
async function checkedQuickly(): Promise<boolean> {
  const [command, ...flags] = args;
  const isPlain = flags.every((flag) => flag === '--check' || flag === '--json' || flag === '--quiet');
  if (command !== 'generate' || !flags.includes('--check') || !isPlain) return false;
  const began = performance.now();
  const found = await quickCheck(process.cwd());
  if (found === undefined) return false;
  const { project, report } = found;
  const isJson = flags.includes('--json');
  process.stdout.write(
    isJson ? reportAsJson(project, report, true) : upToDate(project, report, performance.now() - began),
  );
  return true;
}

if (!(await checkedQuickly())) {
  const { runCli } = await import('./cli.js');
  process.exitCode = await runCli(args, process.cwd(), {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    untilStopped,
  });
}

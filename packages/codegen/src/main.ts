#!/usr/bin/env node
import { runCli } from './cli.js';

/** A command that ends by itself is ended by the first Ctrl-C, as any program; one that watches ends clean. */
function untilStopped(): AbortSignal {
  const stopped = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopped.abort());
  return stopped.signal;
}

// `| head` closes the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCli(process.argv.slice(2), process.cwd(), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  untilStopped,
});

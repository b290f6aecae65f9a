import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.js';
import * as list from './index.js';

const usage = `usage: npm run bench -- NAME [--runs N] [--json]
       npm run bench -- --list

Runs one benchmark, ours beside the named peer, and ends with "bench NAME: <figure> target <target> ok" (or "short", exit
code 1).

  --list     names, and what each measures
  --runs N   rounds; the figure is their median
  --json     one JSON object on standard output instead of text
`;

const benchmarks: readonly Benchmark[] = Object.values(list);

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  let options: ReturnType<typeof parse>;
  try {
    options = parse(args);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  const { values, positionals } = options;
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (values.list) {
    for (const { name, about } of benchmarks) process.stdout.write(`${name.padEnd(22)} ${about}\n`);
    return 0;
  }
  const [name] = positionals;
  const benchmark = benchmarks.find((known) => known.name === name);
  const runs = values.runs === undefined ? undefined : Number(values.runs);
  if (benchmark === undefined || (runs !== undefined && (!Number.isSafeInteger(runs) || runs < 1))) {
    const known = benchmarks.map((each) => each.name).join(', ');
    process.stderr.write(
      benchmark === undefined
        ? `${name === undefined ? 'no benchmark named' : `unknown benchmark "${name}"`}; known: ${known}\n`
        : `--runs ${values.runs}: must be a whole number from 1\n`,
    );
    return 2;
  }
  const log = (line: string): void => void (values.json ? undefined : process.stdout.write(`${line}\n`));
  const outcome = await benchmark.run({ runs, log });
  const ok = outcome.figure <= outcome.target;
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ bench: benchmark.name, ok, ...outcome })}\n`);
  } else {
    for (const [key, value] of Object.entries(outcome.figures ?? {})) log(`  ${key}: ${value}`);
    const [figure, target] = [outcome.figure, outcome.target].map(
      (value) => `${Number(value.toFixed(3))} ${outcome.unit}`,
    );
    log(`bench ${benchmark.name}: ${figure} target ${target} ${ok ? 'ok' : 'short'}`);
  }
  return ok ? 0 : 1;
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      runs: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
}

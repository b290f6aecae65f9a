import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import * as list from './index.js';
import { tellLeftOpen } from './left-open.js';
import type { Proof } from './proof.js';

const usage = `usage: npm run prove -- NAME [--seed N] [--runs N] [--chain DIR] [--reads FILE] [--json]
       npm run prove -- --list

Runs one proof and ends with "prove NAME: n of n ok", or with the first counter-example and its seed (exit code 1).

  --list        names and claims
  --seed N      seed of the random worlds (default: a fresh one, printed)
  --runs N      number of random runs
  --chain DIR   another recorded chain, in the form of tools/devnode/recordings/day
  --reads FILE  other recorded reads, in the form of tools/devnode/recordings/reads.jsonl.gz
  --json        one JSON object on standard output instead of text
`;

const proofs: readonly Proof[] = Object.values(list);

process.exitCode = await main(process.argv.slice(2));
tellLeftOpen(20_000);

async function main(args: string[]): Promise<number> {
  const options = parse(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  if (options.list) {
    const names = proofs.map(({ name, about }) => ({ name, about }));
    const lines = names.map(({ name, about }) => `${name.padEnd(22)} ${about}`);
    process.stdout.write(`${options.json ? JSON.stringify(names) : lines.join('\n')}\n`);
    return 0;
  }
  const proof = proofs.find((known) => known.name === options.name);
  if (proof === undefined) {
    const known = proofs.map((each) => each.name).join(', ');
    const what = options.name === undefined ? 'no proof named' : `unknown proof "${options.name}"`;
    process.stderr.write(`${what}; known: ${known}\n`);
    return 2;
  }
  try {
    return await runProof(proof, options);
  } catch (error) {
    process.stderr.write(`prove ${proof.name}: could not run: ${(error as Error).message}${hintOf(options)}\n`);
    return 1;
  }
}

/** The user's options that may be the reason of a failure. */
function hintOf({ chain, reads }: Options): string {
  if (chain !== undefined)
    return `\n--chain ${chain}: expected is a folder with blocks.jsonl.gz, states.jsonl.gz and genesis-hub.json`;
  if (reads !== undefined)
    return `\n--reads ${reads}: expected is a file of recorded reads, JSON lines, gzipped or plain`;
  return '';
}

async function runProof(proof: Proof, options: Options): Promise<number> {
  const log = (line: string): void => void (options.json ? undefined : process.stdout.write(`${line}\n`));
  const started = performance.now();
  const outcome = await proof.run({
    seed: options.seed,
    runs: options.runs,
    chain: options.chain,
    reads: options.reads,
    log,
  });
  const seconds = Number(((performance.now() - started) / 1000).toFixed(2));
  const ok = outcome.total > 0 && outcome.passed === outcome.total;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ prove: proof.name, seed: options.seed, ok, seconds, ...outcome })}\n`);
    return ok ? 0 : 1;
  }
  for (const [name, value] of Object.entries(outcome.figures ?? {})) log(`  ${name}: ${value}`);
  log(`  ${seconds} s`);
  if (!ok) log(`counter-example (seed ${options.seed}): ${outcome.counterExample ?? 'nothing was checked'}`);
  log(`prove ${proof.name}: ${outcome.passed} of ${outcome.total} ${ok ? 'ok' : 'FAILED'}`);
  return ok ? 0 : 1;
}

interface Options {
  readonly name: string | undefined;
  readonly seed: number;
  readonly runs: number | undefined;
  readonly chain: string | undefined;
  readonly reads: string | undefined;
  readonly list: boolean;
  readonly json: boolean;
  readonly help: boolean;
}

function parse(args: string[]): Options | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        seed: { type: 'string' },
        runs: { type: 'string' },
        chain: { type: 'string' },
        reads: { type: 'string' },
        list: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (positionals.length > 1) return `one proof at a time, got ${positionals.join(' ')}`;
    const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
    if (!Number.isSafeInteger(seed) || seed < 0)
      return `--seed ${values.seed}: must be a whole number from 0 to 2^53 - 1`;
    const runs = values.runs === undefined ? undefined : Number(values.runs);
    if (runs !== undefined && (!Number.isSafeInteger(runs) || runs < 1))
      return `--runs ${values.runs}: must be a whole number from 1`;
    const { chain, reads, list, json, help } = values;
    return { name: positionals[0], seed, runs, chain, reads, list, json, help };
  } catch (error) {
    return (error as Error).message;
  }
}

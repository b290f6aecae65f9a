import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PackedPrograms, workspace } from '@hubwatch/bench/consumers';
import { configSchema } from '@hubwatch/daemon/parts';
import type { Devnode } from '@hubwatch/devnode';
import { allKeys, everyKey } from './every-key.js';

/** A configuration from which the packed daemon must start. */
export interface StartCase {
  readonly name: string;
  readonly file: string;
}

/** Environment variables that the generated configurations refer to. */
export const startEnvironment = { HUBWATCH_SECRET: 'http://127.0.0.1:9/from-the-environment' } as const;

/** Number of configurations that together contain every value of every enum: the longest enum has five. */
const variants = 5;

/**
 * The shipped example, and generated configurations that together contain every key of the schema. @throws Error if a
 * key is missing
 */
export function startCases(folder: string, node: Devnode): readonly StartCase[] {
  const missing = new Set(allKeys(configSchema));
  const cases = [{ name: 'the shipped example', file: shippedExample(folder) }];
  for (let variant = 0; variant < variants; variant++) {
    const { value, keys } = generated(folder, node, variant);
    for (const key of keys) missing.delete(key);
    const file = join(folder, `every-key-${variant}.yml`);
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(value, undefined, 2));
    cases.push({ name: `every key, variant ${variant}`, file });
  }
  if (missing.size > 0) throw new Error(`in no generated configuration: ${[...missing].join(', ')}`);
  return cases;
}

/** The example with folders and ports of this machine; everything else is as shipped. */
function shippedExample(folder: string): string {
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets, { recursive: true });
  writeFileSync(join(secrets, 'mail-password'), 'secret\n');
  writeFileSync(join(secrets, 'alive-url'), 'http://127.0.0.1:9/alive\n');
  const text = readFileSync(join(workspace, 'deploy/hubwatch.example.yml'), 'utf8')
    .replaceAll('/run/credentials/hubwatch.service', secrets)
    .replaceAll('/var/lib/hubwatch', folder)
    .replaceAll('127.0.0.1:9190', '127.0.0.1:0');
  const file = join(folder, 'example.yml');
  writeFileSync(file, text);
  return file;
}

function generated(folder: string, { grpc, rest, rpc, chainId }: Devnode, variant: number) {
  const secret = join(folder, 'secret');
  writeFileSync(secret, 'http://127.0.0.1:9/from-a-file\n');
  return everyKey(configSchema, {
    variant,
    given: {
      'network.chain_id': chainId,
      'endpoints.grpc': grpc,
      'endpoints.rest': rest,
      'endpoints.rpc': rpc,
      'endpoints.upgrades': folder,
      // Nodes publish addresses outside this machine.
      'watch.reach.enabled': false,
      'maintenance.from': '02:00',
      'maintenance.to': '03:00',
      'maintenance.rules': ['HubEndpointDown'],
      'notifiers.email.host': '127.0.0.1',
      'store.path': join(folder, `every-key-${variant}.db`),
    },
    endings: { _file: secret, _env: 'HUBWATCH_SECRET' },
  });
}

/**
 * Starts the daemon, reads everything it serves, and stops it. Resolves with the first problem; `undefined` if there is
 * none.
 */
export async function startsFrom(programs: PackedPrograms, { file }: StartCase): Promise<string | undefined> {
  const daemon = programs.start('hubwatch', ['run', '--config', file], { env: startEnvironment });
  const page = await Promise.race([printedAddress(daemon.child.stdout, daemon.out), daemon.ended]);
  if (typeof page !== 'string') return `ended with ${page.code}: ${page.err}`;
  try {
    for (const path of ['/', '/metrics', '/api/v1/status', '/-/healthy']) {
      const { status } = await fetch(`${page}${path}`);
      if (status !== 200) return `${path}: HTTP ${status}: ${daemon.err()}`;
    }
  } finally {
    daemon.child.kill('SIGTERM');
  }
  const { code, err } = await daemon.ended;
  if (code !== 0) return `stopped with ${code}: ${err}`;
  const plain = err.split('\n').find((line) => line !== '' && !isJson(line));
  return plain === undefined ? undefined : `a line of the log is not JSON: ${plain}`;
}

function printedAddress(stream: NodeJS.ReadableStream | null, text: () => string): Promise<string> {
  return new Promise((resolve) => {
    stream?.on('data', () => {
      const address = /status page (http:\S+)\/ /.exec(text())?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

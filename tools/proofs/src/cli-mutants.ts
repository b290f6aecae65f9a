import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackedPrograms } from '@hubwatch/bench/consumers';
import { configSchema, parseConfig } from '@hubwatch/daemon/parts';
import { everyKey } from './every-key.js';
import { RandomSource } from './random-source.js';

export interface MutantParts {
  readonly seed: number;
  readonly runs: number;
  readonly folder: string;
  readonly programs: PackedPrograms;
  readonly judge: (name: string, fault: string | undefined) => void;
}

/** One in this many configurations is also passed to the packed program. */
const packedEvery = 500;

/** Secret values that only the operator may read, each in a typical place. */
const secrets = ['Zx91SecretKeyOfEndpoint', 'Zx92PasswordOfMail', 'Zx93TokenOfTheBot42'] as const;

const withSecrets = (): Record<string, unknown> => {
  const { value } = everyKey(configSchema, {
    variant: 0,
    given: { 'maintenance.from': '02:00', 'maintenance.to': '03:00', 'maintenance.rules': ['HubEndpointDown'] },
    endings: {},
  });
  return value as Record<string, unknown>;
};

/** Values that each exercise a different part of the loader. */
const values: readonly ((random: RandomSource) => unknown)[] = [
  (random) => `http://user:${random.pick(secrets)}@127.0.0.1:9/`,
  (random) => `htps://127.0.0.1/${random.pick(secrets)}`,
  (random) => `http://127.0.0.1/?apikey=${random.pick(secrets)}`,
  (random) => random.pick(secrets),
  (random) => `${random.pick(secrets)}@example.org, <ops@example.org>`,
  (random) => ({ [random.pick(secrets)]: random.pick(secrets) }),
  (random) => [random.pick(secrets), random.below(100)],
  () => null,
  () => true,
  () => -1,
  () => 1e21,
  () => '',
  () => ' ',
  () => '\u0000\u001b[2J\u202e',
  () => 'x'.repeat(5_000),
  () => [],
  () => ({}),
  () => [[[[]]]],
  (random) => random.bits(),
];

/** Inserts or replaces a value, key or item at a random place in a configuration. */
function mutateValue(value: unknown, random: RandomSource): unknown {
  if (typeof value !== 'object' || value === null || random.chance(0.15)) return random.pick(values)(random);
  if (Array.isArray(value)) {
    const items = [...(value as readonly unknown[])];
    const at = random.below(items.length + 1);
    items.splice(at, random.chance(0.5) ? 1 : 0, mutateValue(items[at], random));
    return items;
  }
  const entries: [string, unknown][] = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [name, member] = entries[at] ?? [random.pick(['constructor', '__proto__', 'naem', ...secrets]), undefined];
  const changed = random.chance(0.1) ? name.slice(0, -1) : name;
  const next = entries.filter((_, index) => index !== at);
  if (!random.chance(0.05)) next.splice(at, 0, [changed, mutateValue(member, random)]);
  return Object.fromEntries(next);
}

/** Modifies the text itself, for errors that no value can express. */
function mutateText(text: string, random: RandomSource): string {
  const at = random.below(text.length);
  const piece = random.pick([
    '[',
    '{',
    '"',
    "'",
    ': ',
    '\n- ',
    '\t',
    '&a ',
    '*a ',
    '!tag ',
    '\n---\n',
    '%YAML 9\n',
    '<<: ',
    '? ',
    '| ',
    '# ',
    '\\x',
    '1e309',
    '[['.repeat(40),
    `*${secrets[0]} `,
    `!${secrets[1]} `,
  ]);
  return `${text.slice(0, at)}${piece}${text.slice(at + random.below(3))}`;
}

/** A configuration that differs in one to three places from one with every key. */
function mutant(base: unknown, random: RandomSource): string {
  let value = base;
  for (let changes = random.below(3); changes >= 0; changes--) value = mutateValue(value, random);
  // JSON is YAML.
  const text = (JSON.stringify(value, undefined, random.below(3)) as string | undefined) ?? '';
  return random.chance(0.4) && text !== '' ? mutateText(text, random) : text;
}

/** Returns the error in a run's message; `undefined` if the message is correct. */
function faultOf(message: string, file: string): string | undefined {
  const lines = message.split('\n');
  const unplaced = lines.find((line) => !line.startsWith(`${file}:`) || !/:\d+:\d+: |: \d+ more problems$/.test(line));
  if (unplaced !== undefined) return `no place: ${unplaced.slice(0, 300)}`;
  if (secrets.some((secret) => message.includes(secret))) return 'a secret is repeated';
  const long = lines.find((line) => line.length > 2_500);
  if (long !== undefined) return `a line of ${long.length} characters`;
  // eslint-disable-next-line no-control-regex
  return /[\u0000-\u0009\u000b-\u001f\u202a-\u202e]/.test(message) ? 'control characters' : undefined;
}

/** Checks this many configurations in this process, and a sample of them with the packed program. */
export async function judgeMutants({
  seed,
  runs,
  folder,
  programs,
  judge,
}: MutantParts): Promise<Record<string, number>> {
  const random = new RandomSource(seed);
  const base = withSecrets();
  const counts = { 'configurations rejected': 0, 'configurations accepted': 0, 'configurations packed': 0 };
  for (let run = 0; run < runs; run++) {
    const text = mutant(base, random);
    let message = '';
    let fault: string | undefined;
    try {
      parseConfig(text, 'm.yml');
      counts['configurations accepted'] += 1;
    } catch (error) {
      counts['configurations rejected'] += 1;
      message = (error as Error).message;
      fault = (error as Error).name === 'ConfigError' ? faultOf(message, 'm.yml') : `threw ${String(error)}`;
    }
    if (fault === undefined && run % packedEvery === 0) {
      counts['configurations packed'] += 1;
      writeFileSync(join(folder, 'm.yml'), text);
      const { code, err } = await programs.run('hubwatch', ['check-config', 'm.yml'], { cwd: folder });
      if (code === 3) fault = faultOf(err.trimEnd(), 'm.yml');
      else if (code !== 0 || message !== '') fault = `exit code ${code}: ${err}`;
    }
    judge(`configuration ${run}`, fault === undefined ? undefined : `${fault}\n${text.slice(0, 3_000)}`);
  }
  return counts;
}

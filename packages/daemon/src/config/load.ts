import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { allowedKeys } from './allowed-keys.js';
import { allowedNames, nearestKey } from './nearest-key.js';
import { ConfigError, type Found, listed, pathText, type Problem } from './problem.js';
import { kindOf, quoted, shownKey } from './quoted.js';
import { listMember, repeatedNames } from './repeated-names.js';
import { type Config, configSchema } from './schema.js';
import { secretProblems } from './secret-sources.js';
import { unusableStore } from './store-path.js';
import { strangeSweepEndpoints, twoSweepTimes } from './sweep-endpoints.js';
import { unknownSubjects, withSubjects } from './watched-subjects.js';
import { decodeText, readYaml, type YamlText } from './yaml-text.js';

/**
 * Finds problems that the schema cannot detect, such as an unknown rule name. Its input is the unvalidated file
 * content, so that its problems appear in one list with all others.
 */
export type FurtherCheck = (written: unknown) => readonly Found[];

/** A usable configuration, and possible problems with it on this machine. */
export interface LoadedConfig {
  readonly config: Config;
  /** For example a password file that this user cannot read: the daemon may run as a different user. */
  readonly warnings: ConfigError | undefined;
}

/** Reads and checks a configuration file. @throws ConfigError with every problem found. */
export const loadConfig = (file: string, further?: FurtherCheck): Config => loadWithWarnings(file, further).config;

/** Like `loadConfig`, with possible problems on this machine. @throws ConfigError with every problem found */
export const loadWithWarnings = (file: string, further?: FurtherCheck): LoadedConfig => {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: cannotRead(error as NodeJS.ErrnoException) }]);
  }
  return parseWithWarnings(decodeText(bytes, file), file, further);
};

const cannotRead = ({ code, message }: NodeJS.ErrnoException): string => {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file; deploy/hubwatch.example.yml is one to begin with';
    case 'EISDIR':
      return 'is a folder; expected a YAML file';
    case 'EACCES':
      return 'this user may not read it';
    default:
      return `cannot be read: ${message}`;
  }
};

/** Checks the text of a configuration; `file` names it in messages. @throws ConfigError */
export const parseConfig = (text: string, file = 'config', further?: FurtherCheck): Config =>
  parseWithWarnings(text, file, further).config;

const parseWithWarnings = (text: string, file: string, further: FurtherCheck = () => []): LoadedConfig => {
  const yaml = readYaml(text, file);
  const written = yaml.value ?? {};
  const parsed = configSchema.safeParse(written);
  // Limits suggestions to the listed problems: searching the nearest name for many thousands would dominate the run time.
  let hints = listed;
  const near = (name: string, allowed: readonly string[]): string | undefined =>
    hints-- > 0 ? nearestKey(name, allowed) : undefined;
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, yaml, near)),
    ...placed(yaml, [
      ...repeatedNames(written),
      ...strangeSweepEndpoints(written),
      ...twoSweepTimes(written),
      ...unknownSubjects(written),
      ...unusableStore(written),
      ...further(written),
    ]),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(file, problems.toSorted(byPlace));
  const warnings = placed(yaml, secretProblems(written));
  return {
    config: withSubjects(parsed.data),
    warnings: warnings.length === 0 ? undefined : new ConfigError(file, warnings.toSorted(byPlace)),
  };
};

const byPlace = (a: Problem, b: Problem): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);

const placed = (yaml: YamlText, found: readonly Found[]): readonly Problem[] =>
  found.map(({ path, message }) => ({ ...yaml.placeOf(path), path: pathText(path), message }));

const problemsOf = (issue: z.core.$ZodIssue, yaml: YamlText, near: typeof nearestKey): readonly Problem[] => {
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedKeys(configSchema, issue.path);
    return issue.keys.map((key) => {
      const nearest = near(key, allowed);
      return {
        ...yaml.placeOfKey(issue.path, key),
        path: pathText(issue.path),
        message: `unknown key \`${shownKey(key)}\`${allowedNames(nearest === undefined ? undefined : `\`${nearest}\``, allowed)}`,
      };
    });
  }
  return placed(yaml, [{ path: issue.path, message: messageOf(issue, yaml.value ?? {}, near) }]);
};

const messageOf = (issue: z.core.$ZodIssue, written: unknown, near: typeof nearestKey): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  const value = valueAt(written, issue.path);
  const shown = typeof value === 'string' ? quoted(value) : kindOf(value);
  const isAbsent = value === undefined && issue.path.length > 0;
  if (isAbsent) return `is missing${issue.code === 'invalid_value' ? `; allowed: ${issue.values.join(', ')}` : ''}`;
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const nearest = typeof value === 'string' ? near(value, allowed) : undefined;
    return `must be one of ${allowed.join(', ')} (got ${shown})${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  }
  if (issue.code === 'invalid_type') {
    // Custom messages are more specific than the kind of value.
    if (value !== null && issue.message.startsWith('expected '))
      return / \(got .+\)$/s.test(issue.message) ? issue.message : `${issue.message} (got ${kindOf(value)})`;
    const expected = kinds[issue.expected] ?? issue.expected;
    return value === null ? `is empty; expected ${expected}, or no such key` : `expected ${expected} (got ${shown})`;
  }
  if (issue.code === 'too_small' && issue.origin !== 'array') return `must be at least ${issue.minimum} (got ${shown})`;
  if (issue.code === 'too_big')
    return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' items' : ` (got ${shown})`}`;
  return issue.message;
};

/** The value at a path. A single value in place of a list is its first member. */
const valueAt = (written: unknown, path: readonly PropertyKey[]): unknown => {
  let value = written;
  for (const [index, step] of path.entries()) {
    if (index === path.length - 1 && step === 0 && !Array.isArray(value)) return value;
    value = listMember(value, String(step));
  }
  return value;
};

/** The schema's type names, in terms of the file. */
const kinds: Readonly<Record<string, string>> = {
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

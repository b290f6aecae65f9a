import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { allowedKeys } from './allowed-keys.js';
import { nearestKey } from './nearest-key.js';
import { ConfigError, type Found, pathText, type Problem } from './problem.js';
import { repeatedNames } from './repeated-names.js';
import { type Config, configSchema } from './schema.js';
import { strangeSweepEndpoints, twoSweepTimes } from './sweep-endpoints.js';

/**
 * Finds what the schema cannot say, such as the name of a rule that does not exist. It is given the file as it is written, of
 * which nothing is certain, so that its problems stand in one list with all others.
 */
export type FurtherCheck = (written: unknown) => readonly Found[];

/** Reads and checks a configuration file. @throws ConfigError with every problem found. */
export const loadConfig = (file: string, further?: FurtherCheck): Config => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(file, [{ path: '', message: cannotRead(error as NodeJS.ErrnoException) }]);
  }
  return parseConfig(text, file, further);
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
export const parseConfig = (text: string, file = 'config', further: FurtherCheck = () => []): Config => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    throw new ConfigError(
      file,
      document.errors.map((error) => ({ ...place(lines, error.pos[0]), path: '', message: error.message })),
    );
  }
  const written: unknown = document.toJS() ?? {};
  const parsed = configSchema.safeParse(written);
  const problems = [
    ...(parsed.error?.issues ?? []).flatMap((issue) => problemsOf(issue, document, lines)),
    ...[
      ...repeatedNames(written),
      ...strangeSweepEndpoints(written),
      ...twoSweepTimes(written),
      ...further(written),
    ].map(({ path, message }) => at(document, lines, path, message)),
  ];
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(
      file,
      problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    );
  }
  return parsed.data;
};

const problemsOf = (issue: z.core.$ZodIssue, document: Document, lines: LineCounter): Problem[] => {
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedKeys(configSchema, issue.path);
    return issue.keys.map((key) => {
      const nearest = nearestKey(key, allowed);
      const hint = nearest === undefined ? '.' : `; did you mean \`${nearest}\`?`;
      return {
        ...place(lines, keyOffset(document, issue.path, key)),
        path: pathText(issue.path),
        message: `unknown key \`${key}\`${hint} Allowed: ${allowed.join(', ')}`,
      };
    });
  }
  return [at(document, lines, issue.path, messageOf(issue, document))];
};

const messageOf = (issue: z.core.$ZodIssue, document: Document): string => {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  const value = valueAt(document, issue.path);
  const written = isMap(value) ? 'a block of keys' : isSeq(value) ? 'a list' : JSON.stringify(value);
  const isAbsent = value === undefined && issue.path.length > 0;
  if (isAbsent) return `is missing${issue.code === 'invalid_value' ? `; allowed: ${issue.values.join(', ')}` : ''}`;
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const nearest = typeof value === 'string' ? nearestKey(value, allowed) : undefined;
    return `allowed is one of ${allowed.join(', ')}, not ${written}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  }
  if (issue.code === 'invalid_type') {
    // A message of our own says more than the kind.
    if (value !== null && issue.message.startsWith('expected '))
      return / not .+$/s.test(issue.message) ? issue.message : `${issue.message}, not ${written}`;
    const expected = kinds[issue.expected] ?? issue.expected;
    return value === null ? `is empty; expected ${expected}, or no such key` : `expected ${expected}, not ${written}`;
  }
  if (issue.code === 'too_small' && issue.origin !== 'array')
    return `allowed is ${issue.minimum} or more, not ${written}`;
  if (issue.code === 'too_big') return `allowed is ${issue.maximum} or less, not ${written}`;
  return issue.message;
};

/** What stands at a path. One value in place of a list is the first of it. */
const valueAt = (document: Document, path: readonly PropertyKey[]): unknown => {
  const parent: unknown = document.getIn(path.slice(0, -1), true);
  return path.at(-1) === 0 && isScalar(parent) ? parent.value : document.getIn(path);
};

/** The schema's words for what a value is, in words of the file. */
const kinds: Readonly<Record<string, string>> = {
  object: 'a block of keys',
  record: 'a block of keys',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

const at = (document: Document, lines: LineCounter, path: readonly PropertyKey[], message: string): Problem => ({
  ...place(lines, offsetOf(document, path)),
  path: pathText(path),
  message,
});

/** Offset of the value at `path`, or of its nearest ancestor that the file has. */
const offsetOf = (document: Document, path: readonly PropertyKey[]): number => {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return document.contents?.range?.[0] ?? 0;
};

const keyOffset = (document: Document, path: readonly PropertyKey[], key: string): number => {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return 0;
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
};

const place = (lines: LineCounter, offset: number): { line: number; column: number } => {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
};

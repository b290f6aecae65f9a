import { readFileSync } from 'node:fs';
import { isMap, isNode, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { allowedKeys } from './allowed-keys.js';
import { nearestKey } from './nearest-key.js';
import { ConfigError, type Problem } from './problem.js';
import { type Config, configSchema } from './schema.js';

/** Finds what only a later stage can know to be wrong, such as the name of a rule that does not exist. */
export type FurtherCheck = (config: Config) => readonly Found[];

/** Reads and checks a configuration file. @throws ConfigError with every problem found. */
export const loadConfig = (file: string, further?: FurtherCheck): Config => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(file, [
      { line: 1, column: 1, path: '', message: `cannot be read: ${(error as Error).message}` },
    ]);
  }
  return parseConfig(text, file, further);
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
  const parsed = configSchema.safeParse(document.toJS() ?? {});
  const problems = parsed.success
    ? [...repeatedNames(parsed.data), ...further(parsed.data)].map(({ path, message }) =>
        at(document, lines, path, message),
      )
    : parsed.error.issues.flatMap((issue) => problemsOf(issue, document, lines));
  if (!parsed.success || problems.length > 0) {
    throw new ConfigError(
      file,
      problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    );
  }
  return parsed.data;
};

/** A problem at a place of the configuration. */
export interface Found {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const repeatedNames = (config: Config): Found[] => [
  ...repeated(config.endpoints, (one) => one.name, ['endpoints'], 'name'),
  ...repeated(config.watch.nodes, (one) => one.address, ['watch', 'nodes'], 'address'),
  ...repeated(config.watch.providers, (one) => one.address, ['watch', 'providers'], 'address'),
];

const repeated = <T>(list: readonly T[], key: (item: T) => string, path: readonly PropertyKey[], member: string) =>
  list.flatMap((item, index): Found[] => {
    const first = list.findIndex((other) => key(other) === key(item));
    if (first === index) return [];
    return [{ path: [...path, index, member], message: `is the same as ${pathText([...path, first, member])}` }];
  });

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
  const value: unknown = document.getIn(issue.path);
  const written = isNode(value) ? 'a list or a block of keys' : JSON.stringify(value);
  const isAbsent = value === undefined && issue.path.length > 0;
  if (isAbsent) return `is missing${issue.code === 'invalid_value' ? `; allowed: ${issue.values.join(', ')}` : ''}`;
  if (issue.code === 'invalid_value') return `allowed is one of ${issue.values.join(', ')}, not ${written}`;
  if (issue.code === 'invalid_type') return `expected ${issue.expected}, not ${written}`;
  if (issue.code === 'too_small' && issue.origin !== 'array')
    return `allowed is ${issue.minimum} or more, not ${written}`;
  if (issue.code === 'too_big') return `allowed is ${issue.maximum} or less, not ${written}`;
  return issue.message;
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

const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

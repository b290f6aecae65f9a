import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  Parser,
  type ParsedNode,
  type YAMLMap,
} from 'yaml';
import { ConfigError, type Problem } from './problem.js';

const maxBytes = 8 * 1024 * 1024;
/** The deepest configuration has eight levels. */
const maxDepth = 32;
/** Maximum number of values in a file after its aliases were expanded. */
const maxValues = 1_000_000;

/** A place in the text, both numbers 1-based. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A parsed YAML text: its value, and the place of each part. */
export interface YamlText {
  readonly value: unknown;
  /** Place of the value at a path, or of its nearest ancestor in the text. */
  placeOf(path: readonly PropertyKey[]): TextPlace;
  /** Place of a key in the mapping at a path. */
  placeOfKey(path: readonly PropertyKey[], key: string): TextPlace;
}

/** Decodes the text of a file. @throws ConfigError if it is too long or not UTF-8 */
export const decodeText = (bytes: Uint8Array, file: string): string => {
  const fault = (message: string, place: TextPlace = { line: 1, column: 1 }): never => {
    throw new ConfigError(file, [{ ...place, path: '', message }]);
  };
  if (bytes.length > maxBytes) fault(`is larger than ${maxBytes / 1024 / 1024} MiB`);
  const [first, second] = bytes;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isWide || (bytes.length > 1 && (first === 0) !== (second === 0))) fault('is UTF-16 text; save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The lenient decoder inserts a replacement character at the first invalid byte.
    const before = new TextDecoder().decode(bytes).split('\ufffd')[0]?.split('\n') ?? [''];
    return fault('is not UTF-8 text', { line: before.length, column: (before.at(-1) ?? '').length + 1 });
  }
};

/**
 * Parses one YAML document in time linear in its length. @throws ConfigError with every problem, each with its place
 */
export const readYaml = (text: string, file: string): YamlText => {
  const lines = new LineCounter();
  const at = (offset: number): TextPlace => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const problems: Problem[] = [];
  const fault = (offset: number, message: string): void => void problems.push({ ...at(offset), path: '', message });
  const stop = (): never => {
    throw new ConfigError(file, problems);
  };

  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = firstBelow(tokens, maxDepth);
  if (deep !== undefined) {
    fault(deep, `is nested more than ${maxDepth} levels deep`);
    stop();
  }
  // Unique keys are checked below: the check of the package compares each key with all before it.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  const [document, second] = composer.compose(tokens, true, text.length) as Generator<Document.Parsed>;
  for (const { code, pos } of [...(document?.errors ?? []), ...(document?.warnings ?? [])])
    fault(pos[0], yamlFaults[code] ?? 'is not valid YAML');
  if (second !== undefined) fault(second.range[0], 'a second document begins here; a configuration is one document');
  if (problems.length > 0) stop();

  const reader = new ValueReader(fault);
  const contents: ParsedNode | null | undefined = document?.contents;
  const value = reader.valueOf(contents);
  if (problems.length > 0) stop();
  const offsetOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);
  return {
    value,
    placeOf(path) {
      let node: unknown = contents;
      for (const step of path) {
        const below = reader.member(node, step);
        if (!isNode(below)) break;
        node = below;
      }
      return at(offsetOf(node));
    },
    placeOfKey(path, key) {
      let node: unknown = contents;
      for (const step of path) node = reader.member(node, step);
      return at(offsetOf(reader.pair(node, key)?.key ?? node));
    },
  };
};

/** Converts nodes to values and remembers the keys of each mapping, so that a place is found without a search. */
class ValueReader {
  private readonly anchors = new Map<
    string,
    { readonly node: unknown; value: unknown; size: number; isOpen: boolean }
  >();
  private readonly pairs = new WeakMap<object, Map<string, Pair>>();
  private values = 0;
  private readonly fault: (offset: number, message: string) => void;

  constructor(fault: (offset: number, message: string) => void) {
    this.fault = fault;
  }

  valueOf(node: unknown): unknown {
    if (!isNode(node)) return undefined;
    if (isAlias(node)) return this.target(node.source, node.range?.[0] ?? 0)?.value;
    const { anchor } = node as { anchor?: string };
    const known = { node, value: undefined as unknown, size: this.values, isOpen: true };
    if (anchor !== undefined) this.anchors.set(anchor, known);
    this.values += 1;
    known.value = this.plain(node);
    known.size = this.values - known.size;
    known.isOpen = false;
    return known.value;
  }

  member(node: unknown, step: PropertyKey): unknown {
    const at = this.followed(node);
    if (isSeq(at)) return at.items[Number(step)];
    return this.pair(at, String(step))?.value;
  }

  pair(node: unknown, key: string): Pair | undefined {
    const at = this.followed(node);
    return isMap(at) ? this.pairs.get(at)?.get(key) : undefined;
  }

  private followed(node: unknown): unknown {
    return isAlias(node) ? this.anchors.get(node.source)?.node : node;
  }

  private target(name: string, offset: number): { readonly value: unknown } | undefined {
    const found = this.anchors.get(name);
    if (found === undefined) this.fault(offset, 'no anchor of this name comes before the alias');
    else if (found.isOpen) this.fault(offset, 'the alias refers to a value that it is part of');
    else if (this.values <= maxValues) {
      this.values += found.size;
      if (this.values > maxValues) this.fault(offset, `aliases make more than ${maxValues} values of this file`);
      else return found;
    }
    return undefined;
  }

  private plain(node: unknown): unknown {
    if (isSeq(node)) return node.items.map((item) => this.valueOf(item));
    if (isMap(node)) return this.mapping(node);
    if (!isScalar(node)) return undefined;
    const { value, range } = node;
    if (typeof value === 'number' && !Number.isFinite(value))
      this.fault(range?.[0] ?? 0, 'is not a number that can be used; it is too large, or no number at all');
    return value;
  }

  private mapping(map: YAMLMap): object {
    const pairs = new Map<string, Pair>();
    const value = {};
    this.pairs.set(map, pairs);
    for (const pair of map.items) {
      const { key } = pair;
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : (map.range?.[0] ?? 0);
      if (!isScalar(key) || (key as { anchor?: string }).anchor !== undefined) {
        this.fault(offset, 'a key must be a plain text');
        continue;
      }
      const name = String(key.value);
      if (pairs.has(name)) this.fault(offset, 'is a key that this mapping already has');
      pairs.set(name, pair);
      // Defined as an own property, also for names that all objects inherit.
      const member = { value: this.valueOf(pair.value) ?? null, enumerable: true, writable: true, configurable: true };
      Object.defineProperty(value, name, member);
    }
    return value;
  }
}

interface Token {
  readonly offset?: number;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/** Offset of the first collection nested deeper than `depth`. */
const firstBelow = (tokens: readonly unknown[], depth: number): number | undefined => {
  const open: (readonly [token: Token, level: number])[] = tokens.map((token) => [token as Token, 0]);
  while (open.length > 0) {
    const [token, level] = open.pop() as readonly [Token, number];
    const below = token.items === undefined ? level : level + 1;
    if (below > depth) return token.offset ?? 0;
    for (const part of [token.value, ...(token.items ?? []).flatMap(({ key, value }) => [key, value])])
      if (typeof part === 'object' && part !== null) open.push([part, below]);
  }
  return undefined;
};

/** Descriptions of YAML faults; the package's own messages repeat parts of the text. */
const yamlFaults: Readonly<Record<string, string>> = {
  BAD_DIRECTIVE: 'is a YAML directive that is not known',
  BAD_DQ_ESCAPE: 'is an escape that a text in double quotes does not have',
  BAD_INDENT: 'is not indented as its neighbours are',
  BAD_SCALAR_START: 'a text that begins with this character needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a mapping cannot begin on this line; put it on a line of its own',
  BLOCK_IN_FLOW: 'indented lines are not allowed inside brackets',
  KEY_OVER_1024_CHARS: 'the key is longer than 1024 characters',
  MISSING_CHAR: 'a closing quote or bracket, a comma or a blank is missing here',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line',
  TAB_AS_INDENT: 'is indented with a tab; YAML takes blanks only',
  TAG_RESOLVE_FAILED: 'is a YAML tag that a configuration does not have',
  UNEXPECTED_TOKEN: 'is not expected here; look at quotes, brackets and indentation',
};

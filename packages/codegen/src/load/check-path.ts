import { CodegenError } from '../codegen-error.js';

/** A foreign name for messages: one line, no control characters, at most 120 characters. */
export function shown(name: string): string {
  const text = name.length > 120 ? `${name.slice(0, 120)}…` : name;
  const isPlain = /^[\x21-\x7e…]+$/.test(text) && !/["'\\]/.test(text);
  return isPlain ? text : escapeInvisible(JSON.stringify(text));
}

/** Characters that terminals and editors do not display as they are: controls, bidirectional marks, lone surrogates. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Writes invisible characters as `\uXXXX`. */
export function escapeInvisible(text: string): string {
  return text.replace(invisible, (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** File systems accept 255 bytes per name; an output file has a longer extension than its proto file. */
const maxSegmentBytes = 200;
const maxPathBytes = 1000;

/**
 * Checks the path of a proto file, from which output paths and import specifiers are built.
 *
 * @param where origin of the path for messages, `a.proto imports`
 * @throws CodegenError if it is not a relative path of plain names that ends in `.proto`
 */
export function checkProtoPath(path: string, where: string): void {
  const fault = faultOf(path);
  if (fault === undefined) return;
  throw new CodegenError(
    `${where} ${shown(path)}: the path of a proto file ${fault}; it is relative, of plain names with / between them, and ends in .proto`,
  );
}

function faultOf(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (path.startsWith('/')) return 'may not be absolute';
  if (path.includes('..')) return 'may not contain ..';
  if (path.includes('\\')) return 'may not contain a backslash';
  if (/["'`]/.test(path)) return 'may not contain quotes';
  if (escapeInvisible(path) !== path) return 'may not contain control characters';
  // A URL (such as an import specifier) gives these a special meaning, or some file system rejects them.
  const special = /[:*?<>|%#;{}]/.exec(path)?.[0];
  if (special !== undefined) return `may not contain ${special}`;
  if (!path.endsWith('.proto')) return 'must end in .proto';
  if (Buffer.byteLength(path) > maxPathBytes) return `may not be longer than ${maxPathBytes} bytes`;
  for (const segment of path.split('/')) {
    if (segment === '') return 'may not contain an empty name';
    if (segment.startsWith('.')) return 'may not contain a name that begins with a dot';
    if (segment.trim() !== segment || segment.endsWith('.'))
      return 'may not contain a name that ends in a blank or dot';
    if (Buffer.byteLength(segment) > maxSegmentBytes)
      return `may not contain a name of more than ${maxSegmentBytes} bytes`;
  }
  return undefined;
}

/**
 * Checks that all paths can coexist in one folder of any file system.
 *
 * @throws CodegenError that names both if two differ only in case, or one is a folder of the other
 */
export function checkSiblings(paths: Iterable<string>): void {
  const byKey = new Map<string, string>();
  for (const path of paths) {
    const key = keyOf(path);
    const other = byKey.get(key);
    if (other !== undefined && other !== path) {
      throw new CodegenError(`${shown(other)} and ${shown(path)} differ only in case; rename one of them`);
    }
    byKey.set(key, path);
  }
  for (const [key, path] of byKey) {
    for (let slash = key.lastIndexOf('/'); slash > 0; slash = key.lastIndexOf('/', slash - 1)) {
      const file = byKey.get(key.slice(0, slash));
      if (file !== undefined) {
        throw new CodegenError(
          `${shown(file)} is a file, and ${shown(path)} needs a folder of that name; rename one of them`,
        );
      }
    }
  }
}

/** Form of a path on a case-insensitive file system. */
function keyOf(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

import { CodegenError } from '../codegen-error.js';
import { escapeInvisible, shown } from '../load/check-path.js';

/**
 * The one way from a name or text of a descriptor, spec or node into code. Emitters write no such text themselves.
 */

/** A single-quoted literal that holds any text. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part));
  return `'${escapeInvisible(escaped)}'`;
}

/** A member name, quoted where it must be. */
export function memberName(name: string): string {
  // Without brackets it would set the prototype.
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** Words that no module may declare or import under. */
const keywords: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false ' +
    'finally for function if implements import in instanceof interface let new null package private protected public return ' +
    'static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/**
 * A name that a module declares or imports.
 *
 * @throws CodegenError where the language has no such name
 */
export function identifier(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && !keywords.has(name)) return name;
  throw new CodegenError(`${shown(name)} is no name of a declaration in TypeScript; rename it`);
}

/** Text inside a comment, on one line: it cannot end the comment or become a tag of it. */
export function comment(text: string): string {
  const line = escapeInvisible(text.replace(/\s+/g, ' ').trim());
  return line.replaceAll('*/', '*\\/').replace(/(^|[\s{])@(?=\w)/g, '$1\\@');
}

/** `/** … *\/` of one line, for the declaration behind it. */
export function docComment(text: string): string {
  return `/** ${comment(text)} */`;
}

/** Name of a declaration, followed by its documentation if there is any. */
export function nameWithDoc(name: string, doc: string | undefined): string {
  return doc === undefined ? name : `${name}: ${doc}`;
}

/** Path of a module as an import specifier, quotes included. */
export function specifier(path: string): string {
  return quote(path);
}

import { CodegenError } from '../codegen-error.js';
import { escapeInvisible, shown } from '../load/check-path.js';

/**
 * All names and texts from a descriptor, spec or node are converted to code here. Emitters never write such text
 * directly.
 */

/** A single-quoted literal for any text. */
export function quote(text: string): string {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\.|'/g, (part) => (part === '\\"' ? '"' : part === "'" ? "\\'" : part));
  return `'${escapeInvisible(escaped)}'`;
}

/** A member name, quoted if necessary. */
export function memberName(name: string): string {
  // Without brackets it would set the prototype.
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** Words that cannot be used as the name of a declaration or import. */
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
 * @throws CodegenError if it is not a valid identifier
 */
export function identifier(name: string): string {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && !keywords.has(name)) return name;
  throw new CodegenError(`${shown(name)} is no name of a declaration in TypeScript; rename it`);
}

/** Text for a comment, on one line: it cannot end the comment or become a tag in it. */
export function comment(text: string): string {
  const line = escapeInvisible(text.replace(/\s+/g, ' ').trim());
  return line.replaceAll('*/', '*\\/').replace(/(^|[\s{])@(?=\w)/g, '$1\\@');
}

/** A one-line `/** … *\/`, for the following declaration. */
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

/** Full names of all declarations and packages: a lookup may find each of them. */
export type DeclaredNames = ReadonlySet<string>;

/** Words with a special meaning in place of a type. */
const keywords: ReadonlySet<string> = new Set(
  (
    'double float int32 int64 uint32 uint64 sint32 sint64 fixed32 fixed64 sfixed32 sfixed64 bool string bytes ' +
    'group map optional required repeated stream oneof option reserved extensions extend message enum service rpc returns'
  ).split(' '),
);

/**
 * Writes a type inside `scope`: relative to the common scope or package, else in full. It gets a leading dot if the
 * language would find another declaration of the first word in a closer scope.
 */
export function typeReference(typeName: string, scope: string, packageName: string, known: DeclaredNames): string {
  let within: string | undefined = scope;
  while (within !== undefined && !typeName.startsWith(`${within}.`)) within = outer(within);
  if (within !== undefined && within.length < packageName.length) within = undefined;
  const written = within === undefined ? typeName : typeName.slice(within.length + 1);
  const isFound = resolve(written, scope, known) === typeName && !keywords.has(written);
  return isFound ? written : `.${typeName}`;
}

/** `a.b` for `a.b.C`; `undefined` for a name without a dot. */
function outer(scope: string): string | undefined {
  const dot = scope.lastIndexOf('.');
  return dot === -1 ? undefined : scope.slice(0, dot);
}

/** Looks up the first word from the innermost scope outwards; the rest must exist in the first match. */
function resolve(written: string, scope: string, known: DeclaredNames): string {
  const dot = written.indexOf('.');
  const first = dot === -1 ? written : written.slice(0, dot);
  let around: string | undefined = scope;
  while (around !== undefined && !known.has(`${around}.${first}`)) around = outer(around);
  return around === undefined ? written : `${around}.${written}`;
}

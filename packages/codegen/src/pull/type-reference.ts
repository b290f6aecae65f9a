/** Full names of packages, messages and enums, with every package that only holds others. */
export type TypeNames = ReadonlySet<string>;

/**
 * How a proto file writes a type inside `scope`: without the scope or package that holds both, else in full; with a
 * leading dot where the language would look the first word up nearer by and find something else.
 */
export function typeReference(typeName: string, scope: string, packageName: string, known: TypeNames): string {
  const within = [...outwards(scope)].find(
    (around) => around.length >= packageName.length && typeName.startsWith(`${around}.`),
  );
  const written = within === undefined ? typeName : typeName.slice(within.length + 1);
  return resolve(written, scope, known) === typeName ? written : `.${typeName}`;
}

/** `a.b.C`, `a.b`, `a`. */
function* outwards(scope: string): Generator<string> {
  for (let around = scope; around !== ''; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) yield around;
}

/** Looks the first word up from the innermost scope outwards; the rest must stand below what it finds first. */
function resolve(written: string, scope: string, known: TypeNames): string {
  const [first = ''] = written.split('.');
  const around = [...outwards(scope)].find((each) => known.has(`${each}.${first}`));
  return around === undefined ? written : `${around}.${written}`;
}

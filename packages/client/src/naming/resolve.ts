import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';

/** The naming itself, asked for now where a function finds it. */
export async function resolveNaming(naming: Naming | NamingSource): Promise<Naming> {
  return typeof naming === 'function' ? naming() : naming;
}

/** Asks a source once; a failure is not kept, so that the next call asks again. */
export function memoiseNaming(find: NamingSource): NamingSource {
  let found: Promise<Naming> | undefined;
  return () => {
    found ??= find().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
}

import { access } from 'node:fs/promises';
import { join } from 'node:path';

import { readSpecFile } from './spec.js';

/** Files of the spec that no generated code is made from: what a client, a simulator or a proof must know of a node. */
export const factFiles = {
  lists: 'lists.yaml',
  limits: 'limits.yaml',
  node: 'node.yaml',
  document: 'document.yaml',
} as const;

/** A tree of facts, as its JSON Schema guarantees it. */
export type Facts = Readonly<Record<keyof typeof factFiles, Readonly<Record<string, unknown>>>>;

/**
 * Reads the facts of `root` and checks every file against its JSON Schema. A spec of another chain may leave any of them
 * out.
 */
export async function readFacts(root: string): Promise<Partial<Facts>> {
  const entries = await Promise.all(
    Object.entries(factFiles).map(async ([member, file]) => {
      const isThere = await access(join(root, 'proto/spec', file)).then(
        () => true,
        () => false,
      );
      return isThere ? [[member, await readSpecFile(root, member, file)] as const] : [];
    }),
  );
  return Object.fromEntries(entries.flat());
}

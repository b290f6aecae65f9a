import { link, type Linked } from '../src/load/link.js';
import { type Input, load } from '../src/load/load.js';

import { repositoryRoot } from './copied-root.js';

/** Protos and spec of the repository. All test files run in one worker without isolation, so they are loaded once. */
export type SharedInput = Input & { readonly linked: Linked };

let loading: Promise<SharedInput> | undefined;

/** Loads the input on the first call. Tests must not modify it, but may modify a copy. */
export function sharedInput(): Promise<SharedInput> {
  loading ??= load(repositoryRoot).then((input) => ({ ...input, linked: link(input.set) }));
  return loading;
}

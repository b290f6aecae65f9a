import { link, type Linked } from '../src/load/link.js';
import { type Input, load } from '../src/load/load.js';

import { repositoryRoot } from './copied-root.js';

/** Protos and spec of the repository. Test files run in one worker without isolation, so that all of them share one load. */
export type SharedInput = Input & { readonly linked: Linked };

let loading: Promise<SharedInput> | undefined;

/** Loads the input at the first call. Whoever changes it changes a copy. */
export function sharedInput(): Promise<SharedInput> {
  loading ??= load(repositoryRoot).then((input) => ({ ...input, linked: link(input.set) }));
  return loading;
}

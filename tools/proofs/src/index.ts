import { goldenChainTypes } from './golden-chain-types.js';
import { goldenReads } from './golden-reads.js';
import type { Proof } from './proof.js';

/** Every proof that `npm run prove` knows. A new proof is one file and one line here. */
export const proofs: readonly Proof[] = [goldenReads, goldenChainTypes];

import type { RpcMethod } from './method.js';
import { failure } from './rpc-error.js';

/** Methods of a node with `unsafe = true`. There are no peers to dial and no pool to flush. */
export const unsafeMethods: readonly RpcMethod[] = [
  {
    name: 'dial_seeds',
    params: [{ name: 'seeds', kind: 'strings' }],
    cache: 'never',
    run: ({ seeds }) => {
      if ((seeds as string[]).length === 0) throw failure('no seeds provided');
      return { log: 'Dialing seeds in progress. See /net_info for details' };
    },
  },
  {
    name: 'dial_peers',
    params: [
      { name: 'peers', kind: 'strings' },
      { name: 'persistent', kind: 'bool' },
      { name: 'unconditional', kind: 'bool' },
      { name: 'private', kind: 'bool' },
    ],
    cache: 'never',
    run: ({ peers }) => {
      if ((peers as string[]).length === 0) throw failure('no peers provided');
      return { log: 'Dialing peers in progress. See /net_info for details' };
    },
  },
  { name: 'unsafe_flush_mempool', params: [], cache: 'never', run: () => ({}) },
];

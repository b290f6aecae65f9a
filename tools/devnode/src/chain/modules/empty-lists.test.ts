import { allowances } from '@hubwatch/types/gen/methods/stack/feegrant/v1beta1/query';
import { proposals } from '@hubwatch/types/gen/methods/stack/gov/v1/query';
import { describe, expect, it } from 'vitest';
import { chainFolder } from '../../recordings-folder.js';
import { BlockStream } from '../block-stream.js';
import type { QueryContext } from '../query-handler.js';
import { emptyListHandlers } from './empty-lists.js';

const ask = (chain: string, method: { readonly name: string }, height: number): unknown => {
  const blocks = new BlockStream(chainFolder(chain));
  const handler = emptyListHandlers.find((one) => one.method === method.name);
  return handler?.run({}, { height, view: { playback: { blocks } } } as unknown as QueryContext);
};

describe('lists that are empty in the genesis', () => {
  it('devnode: a chain without proposals and grants answers with empty lists', () => {
    expect(ask('day', proposals, 905_887)).toMatchObject({ proposals: [], pagination: { total: 0n } });
    expect(ask('day', allowances, 905_887)).toMatchObject({ allowances: [], pagination: { total: 0n } });
  });

  it('devnode: after the first proposal or grant it answers that the list is not recorded', () => {
    const blocks = new BlockStream(chainFolder('chain'));
    const first = blocks.firstWith('"/stack.gov.v1.MsgSubmitProposal"') ?? 0;
    expect(first).toBeGreaterThan(blocks.first);
    expect(ask('chain', proposals, first - 1)).toMatchObject({ proposals: [] });
    expect(() => ask('chain', proposals, first)).toThrow('does not hold');
    expect(() => ask('chain', allowances, blocks.last)).toThrow('does not hold');
  });
});

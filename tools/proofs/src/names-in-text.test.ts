import { describe, expect, it } from 'vitest';
import { namesInText } from './names-in-text.js';
import { neutralText, wireText, wordLeft } from './network-words.js';

describe('names-in-text', () => {
  it('marked texts, recorded reads, results and transactions: equal under both namings', async () => {
    const { passed, total, counterExample, figures } = await namesInText.run({
      seed: 7,
      runs: 1,
      log: () => undefined,
    });
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures).toMatchObject({ 'signed transactions': '2 of 2', 'searches over sockets': '6 of 6' });
  });

  it('the reference word list: matches names, not data', () => {
    const wire = '"/cosmos.gov.v1.MsgVote","cosmos-sdk/MsgSend",sentinel.node.v3.EventA';
    expect(neutralText(wire)).toBe('"/stack.gov.v1.MsgVote","stack-sdk/MsgSend",hub.node.v3.EventA');
    expect(wireText(neutralText(wire))).toBe(wire);
    expect(wordLeft({ a: [{ text: '/sentinel.x.Y' }] })).toContain('.a.0.text');
    expect(wordLeft({ client: '07-tendermint-0', name: 'sentinelhub' })).toBeUndefined();
  });
});

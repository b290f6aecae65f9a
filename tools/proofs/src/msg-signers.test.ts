import { join } from 'node:path';
import { accountOf } from '@hubwatch/devnode/chain';
import { allMsgs } from '@hubwatch/types/gen/msgs/all';
import { expect, it } from 'vitest';
import { readBlocks, type RecordedTx, recordingsFolder } from './recordings.js';

/** Accounts that signed a transaction, according to its events. */
function accountsOf({ events }: RecordedTx): Set<string> {
  const pairs = events.filter(({ type }) => type === 'tx').flatMap(({ attributes }) => attributes);
  return new Set(pairs.filter(([key]) => key === 'acc_seq').map(([, value]) => value.split('/')[0] ?? ''));
}

it('msgs: the signer of a recorded message is in the member that its constant names', () => {
  const msgs = new Map<string, (typeof allMsgs)[number]>(allMsgs.map((msg) => [msg.typeUrl, msg]));
  const counts = { checked: 0, hub: new Set<string>() };
  const wrong: string[] = [];
  for (const chain of ['day', 'chain']) {
    for (const { height, txs } of readBlocks(join(recordingsFolder, chain))) {
      for (const tx of txs) {
        const accounts = accountsOf(tx);
        for (const message of tx.messages) {
          const url = String(message['@type']);
          const msg = msgs.get(url);
          if (msg === undefined) wrong.push(`${url} at ${height}: no constant`);
          for (const signer of msg?.signers ?? []) {
            const name = msg?.request.fields.find(({ prop }) => prop === signer)?.name ?? signer;
            const held = [message[name]]
              .flat()
              .map((each) => (typeof each === 'string' ? each : String((each as { address?: unknown }).address)));
            counts.checked++;
            if (url.startsWith('/hub.')) counts.hub.add(url);
            for (const address of held) {
              if (!accounts.has(accountOf(address))) wrong.push(`${url} at ${height}: ${name} ${address} did not sign`);
            }
          }
        }
      }
    }
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect(counts.checked).toBeGreaterThan(1000);
  expect(counts.hub.size).toBeGreaterThan(15);
});

import { configuredChannels, parseConfig } from '@hubwatch/daemon/parts';
import { expect, test } from 'vitest';
import { RandomSource } from '../random-source.js';
import { toldBy } from './judge.js';
import { startReceivers } from './receivers.js';

const toldIn = toldBy(/(?<subject>s\d+): (?:(?<firing>firing)|ok) v(?<version>\d+)/g);

test('receivers: every recipient receives each alert of a notification about many, and its id', async () => {
  const receivers = await startReceivers(new RandomSource(1));
  process.env['LAST_WORD_TOKEN'] = '1:t';
  const config = parseConfig(
    JSON.stringify({
      endpoints: [{ name: 'none', rpc: 'http://127.0.0.1:1' }],
      notifiers: receivers.notifiers,
      store: { path: ':memory:' },
    }),
  );
  const channels = configuredChannels(config);
  const told = Array.from({ length: 14 }, (_, index) => {
    return { subject: `s${index}`, isFiring: index % 2 === 0, version: index + 1 };
  });
  const members = told.map(({ subject, isFiring, version }) => {
    return { subject, title: `${subject}: ${isFiring ? 'firing' : 'ok'} v${version}`, isFiring };
  });
  const words = { title: '14 at once: s0, s1, s2 and 11 more', text: '', atMs: 0, members } as const;
  const delivery = { id: 'one', threadId: 'one', kind: 'firing', rule: 'R', severity: 'warning', ...words } as const;
  try {
    for (const channel of channels)
      for (const recipient of channel.recipients) await channel.send({ delivery, recipient, isShort: false });
    expect(receivers.accepted.map(({ recipient }) => recipient).toSorted()).toEqual(receivers.recipients.toSorted());
    for (const { id, text } of receivers.accepted) {
      expect(id).toBe('one');
      expect(toldIn(text).toSorted((a, b) => (a.version ?? 0) - (b.version ?? 0))).toEqual(told);
    }
  } finally {
    for (const channel of channels) channel.close();
    await receivers.close();
  }
});

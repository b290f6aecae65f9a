import { expect, test } from 'vitest';
import { judge, type Played, toldBy } from './judge.js';

const row = (id: string, state: string, isFiring: boolean) => ({
  channel: 'webhook hook-1',
  recipient: '',
  state,
  notice: JSON.stringify({
    id,
    rule: 'R',
    kind: isFiring ? 'firing' : 'recovered',
    members: [{ subject: 's1', isFiring }],
  }),
});

const accepted = (id: string, text: string, life = 1) => ({
  ...{ recipient: 'hook-1', id, text },
  ...{ isUnanswered: false, life },
});

const ended: Played = {
  recipients: ['hook-1'],
  accepted: [accepted('a', 's1: firing v1'), accepted('c', 's1: firing v3')],
  end: [{ subject: 's1', term: '', isFiring: true, version: 3 }],
  silenced: new Map(),
  toldIn: toldBy(/(?<subject>s\d): (?:(?<firing>firing)|ok) v(?<version>\d+)/g),
  rows: [row('a', 'delivered', true), row('b', 'overtaken', false), row('c', 'delivered', true)],
};

const kindsOf = (change: Partial<Played>): readonly string[] => [...judge({ ...ended, ...change }).kinds.keys()];

test('judge: a notification that a later one replaced is not lost', () => {
  expect(kindsOf({})).toEqual([]);
});

test.each<[string, Partial<Played>, readonly string[]]>([
  ['marked as delivered without an arrival', { rows: [...ended.rows, row('d', 'delivered', false)] }, ['lost']],
  ['overtaken without a later one', { rows: [...ended.rows, row('d', 'overtaken', false)] }, ['lost']],
  ['given up without a later one', { rows: [...ended.rows, row('d', 'dead', false)] }, ['lost']],
  ['still waiting', { rows: [row('d', 'waiting', false), ...ended.rows] }, ['lost']],
  ['sent although its subject was silenced before', { silenced: new Map([['s1', 2]]) }, ['silence broken']],
  ['out of order', { accepted: ended.accepted.toReversed() }, ['out of order']],
  ['twice from one process', { accepted: [...ended.accepted, accepted('c', 's1: firing v3')] }, ['doubled']],
  ['other than the state', { end: [{ subject: 's1', term: '', isFiring: false, version: 4 }] }, ['wrong last word']],
])('judge: a notification %s is reported', (_, change, kinds) => {
  expect(kindsOf(change)).toEqual(kinds);
});

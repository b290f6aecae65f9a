import type { SessionsReading } from '../checks/node/node-sessions.js';
import { cut, iso } from '../words.js';

const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : iso(ms));

/** View model of the sessions of a node; amounts and byte counts are strings, like all 64-bit numbers. */
export const sessionView = ({ facts, news, usual }: SessionsReading) => ({
  byStatus: Object.fromEntries(facts.byStatus),
  stale: facts.stale,
  lapsed: news.lapsed,
  overdue: facts.overdue,
  usual: usual === undefined ? undefined : Math.round(usual * 10) / 10,
  oldestUpdate: timeOf(facts.oldestUpdateMs),
  nextSettlement: timeOf(facts.nextSettlementMs),
  downloadBytes: String(facts.download),
  uploadBytes: String(facts.upload),
  bytesLimit: facts.byBytes,
  durationLimit: facts.byDuration,
  expected: [...facts.expected].map(([denom, { payment, toNode, toStakers, refund, atStake }]) => ({
    denom: cut(denom, 200),
    payment: String(payment),
    toNode: String(toNode),
    toStakers: String(toStakers),
    refund: String(refund),
    atStake: String(atStake),
  })),
  allocations: { ...facts.allocations, remaining: String(facts.allocations.remaining) },
});

export type SessionView = ReturnType<typeof sessionView>;

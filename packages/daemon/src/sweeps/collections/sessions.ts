import { Session as NodeSession } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import { BaseSession } from '@hubwatch/types/gen/forms/hub/session/v3/session';
import { Session as SubscriptionSession } from '@hubwatch/types/gen/forms/hub/subscription/v3/session';
import { Price } from '@hubwatch/types/gen/forms/hub/types/v1/price';
import { StatusTable } from '@hubwatch/types/gen/forms/hub/types/v1/status';
import { querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { narrow, only } from '@hubwatch/types/runtime/narrow';
import { gauge } from '../../checks/family.js';
import { shortText } from '../../enum-text.js';
import { heldForSession } from '../../forecast/deposits.js';
import { countedSamples } from '../counted-samples.js';
import type { ListSweep } from '../sweep.js';

const list = narrow(
  querySessions,
  only(NodeSession, 'baseSession', 'price'),
  only(SubscriptionSession, 'baseSession'),
  only(BaseSession, 'status', 'downloadBytes', 'uploadBytes', 'maxBytes', 'maxDuration'),
  only(Price, 'denom', 'quoteValue'),
);

const count = gauge('hub_sessions', ['kind', 'status'], 'Sessions of the whole network that exist now', 'sweep');
const bytes = gauge(
  'hub_session_live_bytes',
  ['kind', 'direction'],
  'Reported traffic of the sessions that exist now; ended sessions are not included',
  'sweep',
);

const kinds: Readonly<Record<string, string>> = {
  '/hub.node.v3.Session': 'node',
  '/hub.subscription.v3.Session': 'subscription',
};
/** Sessions of a kind unknown to this version are counted too. */
const unknown = 'unknown';
/**
 * Combines a kind and a status into one label. The text is cached, so that millions of sessions create no new strings.
 */
const labels = new Map<string, Map<string, string>>();
const labelOf = (kind: string, what: string): string => {
  const ofKind = labels.get(kind) ?? new Map<string, string>();
  if (ofKind.size === 0) labels.set(kind, ofKind);
  const label = ofKind.get(what) ?? `${kind} ${what}`;
  if (ofKind.size < labelsKept) ofKind.set(what, label);
  return label;
};
const labelsKept = 16;

const perKind = (labels: readonly string[]): readonly string[] =>
  Object.values(kinds).flatMap((kind) => labels.map((label) => `${kind} ${label}`));

/** Sessions by kind and status, their traffic, and the deposits of those that are settled from a deposit. */
export const sessions: ListSweep<typeof list> = {
  collection: 'sessions',
  method: list,
  families: [count, bytes],
  add(session, sums) {
    const kind = kinds[session.typeUrl] ?? unknown;
    const base = session.value?.baseSession;
    sums.count('sessions', labelOf(kind, base === undefined ? unknown : shortText(StatusTable, base.status)));
    const held = heldForSession(session);
    if (held === undefined) sums.count('unknown', '');
    else if (held.amount > 0n) sums.add('deposits', held.denom, held.amount);
    if (base === undefined) return;
    sums.add('bytes', labelOf(kind, 'download'), base.downloadBytes);
    sums.add('bytes', labelOf(kind, 'upload'), base.uploadBytes);
  },
  samples: (sums) => [
    ...countedSamples(count, sums, 'sessions', perKind(['active', 'inactive_pending'])),
    ...countedSamples(bytes, sums, 'bytes', perKind(['download', 'upload'])),
  ],
};

import { seconds, fromHead } from '../../checks/prometheus.js';
import { type AccountTarget, accountTargets } from '../../checks/account/account-targets.js';
import { type FeeGrant, feeGrants } from '../../checks/account/fee-grants.js';
import type { Verdict } from '../../checks/verdict.js';
import { amountText, counted, cut, utc } from '../../words.js';
import { onceForReading } from '../once-for-reading.js';
import { judgeEach } from '../judge-each.js';
import type { Rule } from '../rule.js';

const soonMs = 3 * 86_400_000;

/** Most accounts have no grant. */
const judgeWithout = onceForReading(({ key, title }: AccountTarget): Verdict => {
  return { subject: key, term: '', state: 'ok', title: `${title}: no fee grant is about to end`, text: '' };
});

/** A fee grant to a watched account expires within three days, or existed earlier and is gone. */
export const feeGrantEnding: Rule = {
  name: 'HubFeeGrantEnding',
  severity: 'warning',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `${fromHead('hub_account_fee_grant_expiry_timestamp_seconds', ['account', 'granter'])} < ${seconds(soonMs)}`,
    labels: ['account', 'granter'],
    summary: '{{ $labels.account }}: a fee grant expires in {{ $value | humanizeDuration }}',
    description:
      'After that, {{ $labels.granter }} no longer pays the fees of this account. If the account cannot pay them itself, its transactions fail, including heartbeats. Renew the grant or top up the account.',
    difference: 'An expired grant has no series. The daemon reports it for a day.',
  },
  evaluate: ({ config, observations, head: agreed }) =>
    judgeEach(accountTargets(config), (target) => {
      const { key, title } = target;
      const base = { subject: key, term: '' };
      const outcome = observations.outcome(feeGrants, key);
      // Grants expire by block time.
      const nowMs = agreed?.timeMs;
      if (outcome?.state !== 'known' || nowMs === undefined)
        return { ...base, state: 'unknown', title: `${title}: its fee grants are not known`, text: '' };
      const { grants, gone } = outcome.reading;
      if (grants.length === 0 && gone.length === 0) return judgeWithout(target, outcome.reading);
      const ending = grants
        .filter(({ expiresMs }) => expiresMs !== undefined && expiresMs - nowMs < soonMs)
        .toSorted((a, b) => (a.expiresMs ?? 0) - (b.expiresMs ?? 0));
      const [first] = ending;
      if (first === undefined && gone.length === 0)
        return { ...base, state: 'ok', title: `${title}: no fee grant is about to end`, text: '' };
      const head =
        first === undefined
          ? `${counted(gone.length, 'fee grant')} gone`
          : `a fee grant expires at ${utc(first.expiresMs ?? 0)}`;
      return {
        ...base,
        state: 'firing',
        ...(first?.expiresMs === undefined ? {} : { dueMs: first.expiresMs }),
        title: `${title}: ${head}`,
        text: [
          ...ending.map((grant) => `- of ${cut(grant.granter, 90)}: ${grantText(grant)}`),
          ...gone.map(({ field }) => `- of ${cut(field, 90)}: gone: used up, expired or revoked`),
          'Without it the account pays its fees itself; where it cannot, its transactions fail, heartbeats among them.',
          `Account: ${key}`,
        ].join('\n'),
      };
    }),
};

/** Describes the remaining allowance of a grant. */
export const grantText = ({ expiresMs, left, period, paysHeartbeats }: FeeGrant): string => {
  const coins = (all: FeeGrant['left']): string =>
    all === undefined || all.length === 0
      ? 'nothing'
      : all
          .slice(0, 5)
          .map(({ amount, denom }) => amountText(amount, denom))
          .join(', ');
  return [
    expiresMs === undefined ? 'never expires' : `expires at ${utc(expiresMs)}`,
    left === undefined ? 'no limit' : `${coins(left)} left`,
    ...(period === undefined ? [] : [`${coins(period.left)} left of this period`]),
    ...(paysHeartbeats === false ? ['not for heartbeats'] : []),
  ].join(', ');
};

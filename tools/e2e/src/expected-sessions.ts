import type { RecordedSession, RecordedState } from './recorded-states.js';

/** A value that the daemon must show for a node, without the node's label. */
export interface ExpectedValue {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const ms = (time: string): number =>
  Date.parse(time.replace(/\.\d+Z$/, 'Z')) + 1000 * Number(/\.\d+/.exec(time)?.[0] ?? 0);

/** `13806s`, `16554.361991760s` */
const seconds = (duration: string): number => Number(duration.slice(0, -1));

/**
 * Computes the values that the daemon must show for a node's sessions from the recording. The rules are implemented
 * here a second time: a test that used the daemon's own rules would compare them with themselves.
 */
export function expectedOfSessions(state: RecordedState, node: string): readonly ExpectedValue[] {
  const values: ExpectedValue[] = [];
  const put = (name: string, value: number, labels: Record<string, string> = {}): void =>
    void values.push({ name, labels, value });
  const params = state.params['session/v3'] ?? {};
  const timeoutMs = 1000 * seconds(String(params['status_timeout']));
  const now = ms(state.time);
  const sessions = state.sessions.filter(({ base_session: base }) => base.node_address === node);
  const active = sessions.filter(({ base_session: base }) => base.status === 'active');
  const ending = sessions.filter(({ base_session: base }) => base.status !== 'active');
  const updates = active.map(({ base_session: base }) => ms(base.inactive_at) - timeoutMs);
  put('hub_node_sessions_stale', updates.filter((at) => now - at > 0.98 * timeoutMs).length);
  put('hub_node_sessions_overdue', sessions.filter(({ base_session: base }) => ms(base.inactive_at) <= now).length);
  if (updates.length > 0) put('hub_node_session_oldest_update_timestamp_seconds', Math.min(...updates) / 1000);
  if (ending.length > 0) {
    const next = Math.min(...ending.map(({ base_session: base }) => ms(base.inactive_at)));
    put('hub_node_session_next_settlement_timestamp_seconds', next / 1000);
  }
  for (const direction of ['download', 'upload'] as const) {
    const bytes = sessions.map(({ base_session: base }) => Number(base[`${direction}_bytes`]));
    put('hub_node_session_live_bytes', sum(bytes), { direction });
  }
  put('hub_node_sessions_over_limit', active.filter(isOverBytes).length, { limit: 'bytes' });
  put('hub_node_sessions_over_limit', active.filter((session) => isOverTime(session, now)).length, {
    limit: 'duration',
  });
  const share = String(params['staking_share']);
  const paid = sessions.flatMap((session) => settlement(session, share) ?? []);
  for (const denom of new Set(paid.map((one) => one.denom))) {
    const ofDenom = paid.filter((one) => one.denom === denom);
    const total = (part: 'node' | 'stakers' | 'refund' | 'atStake'): number => sum(ofDenom.map((one) => one[part]));
    for (const part of ['node', 'stakers', 'refund'] as const)
      put('hub_node_session_expected_amount', total(part), { denom, part });
    put('hub_node_session_at_stake_amount', total('atStake'), { denom });
  }
  const allocations = allocationsOf(active, state);
  put('hub_node_allocations', allocations.filter((left) => left > 0).length, { state: 'open' });
  put('hub_node_allocations', allocations.filter((left) => left <= 0).length, { state: 'used_up' });
  put('hub_node_allocation_remaining_bytes', sum(allocations.map((left) => Math.max(0, left))));
  return values;
}

const used = ({ base_session: base }: RecordedSession): number =>
  Number(base.download_bytes) + Number(base.upload_bytes);

const isShared = (session: RecordedSession): boolean => session.subscription_id !== undefined;

const isOverBytes = (session: RecordedSession): boolean => {
  const limit = Number(session.base_session.max_bytes);
  return (isShared(session) || limit > 0) && used(session) >= limit;
};

const isOverTime = (session: RecordedSession, now: number): boolean => {
  const { start_at: start, duration, max_duration: longest } = session.base_session;
  if (isShared(session)) return (now - ms(start)) / 1000 >= seconds(longest);
  return seconds(longest) > 0 && seconds(duration) >= seconds(longest);
};

function settlement(session: RecordedSession, share: string) {
  const { base_session: base, price } = session;
  if (price === undefined) return undefined;
  const isByBytes = Number(base.max_bytes) > 0;
  const unit = isByBytes ? 1_000_000_000n : 3_600n;
  const amount = BigInt(isByBytes ? used(session) : Math.round(seconds(base.duration)));
  const limit = BigInt(isByBytes ? base.max_bytes : seconds(base.max_duration));
  const deposit = (BigInt(price.quote_value) * limit) / unit;
  const cost = ceil(BigInt(price.quote_value) * amount, unit);
  const payment = cost < deposit ? cost : deposit;
  const scaled = BigInt(share.replace('.', '').padEnd(19, '0'));
  const stakers = ceil(payment * scaled, 10n ** 18n);
  const refund = Number(deposit - payment);
  return {
    denom: price.denom,
    node: Number(payment - stakers),
    stakers: Number(stakers),
    refund,
    atStake: base.status === 'active' ? refund : 0,
  };
}

/** Remaining amounts of allocations from their own records; the daemon reads them from the sessions. */
function allocationsOf(active: readonly RecordedSession[], { allocations }: RecordedState): readonly number[] {
  const keys = new Set(
    active.filter(isShared).map(({ subscription_id: id, base_session: base }) => `${id} ${base.acc_address}`),
  );
  return [...keys].map((key) => {
    const [id = '', address] = key.split(' ');
    const allocation = allocations[id]?.find((one) => one.address === address);
    if (allocation === undefined) throw new Error(`no allocation ${key} in the recording`);
    return Number(allocation.granted_bytes) - Number(allocation.utilised_bytes);
  });
}

const ceil = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

import { queryAssets, queryParams } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { readPages } from '../../endpoints/pages.js';
import { counted, cut } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { gauge, type Sample, sample } from '../family.js';
import { chainTargets } from './chain-target.js';

/** Number of blocks after which an unchanged price is stale, unless ten query intervals are longer. */
const staleBlocks = 1_800n;
const staleRounds = 10n;
const kind = 'oracle price';
/** Maximum number of assets that are read and exported. Governance creates them, and there are only a few. */
const mostAssets = 200;

export interface OraclePrice {
  readonly denom: string;
  /** In the reference unit of the oracle; 0 if no price was received yet. */
  readonly price: string;
  /** Height of the other chain at which the price was taken; 0 if no price was received yet. */
  readonly priceHeight: bigint;
  /** Hub height at which this price height was first seen. */
  readonly seenHeight: bigint | undefined;
}

export interface OracleReading {
  readonly prices: readonly OraclePrice[];
  readonly height: bigint | undefined;
  /** Number of blocks between two price queries. */
  readonly interval: bigint;
  /** Empty if prices are not queried. */
  readonly channel: string;
}

const price = gauge(
  'hub_oracle_asset_price',
  ['denom'],
  'Price in the reference unit of the oracle; 0 before the first price',
  'slow',
);
const priceHeight = gauge(
  'hub_oracle_asset_price_height',
  ['denom'],
  'Height of the other chain at which the price was taken; 0 before the first price',
  'slow',
);
const seenHeight = gauge(
  'hub_oracle_asset_price_seen_height',
  ['denom'],
  'Height of the hub at which the current price was first seen; absent before the first price',
  'slow',
);

const collect = async (_target: Target, { pool, changes, clock, signal }: CollectContext): Promise<OracleReading> => {
  const { assets, params, height } = await pool.read('oracle', signal, async (source) => {
    const answer = await source.call(queryParams, {});
    const found: { denom: string; price: string; priceHeight: bigint }[] = [];
    await readPages(
      source,
      {
        method: queryAssets,
        request: {},
        items: (page) => page.assets,
        limit: 50,
        maxPages: 20,
        height: answer.height,
      },
      (page) => {
        for (const { denom, spotPrice, spotPriceHeight } of page)
          found.push({ denom, price: spotPrice, priceHeight: spotPriceHeight });
      },
    );
    return { assets: found.slice(0, mostAssets), params: answer.message.params, height: answer.height };
  });
  const fields = Object.fromEntries(assets.map((asset) => [asset.denom, String(asset.priceHeight)]));
  changes.note({ kind, subject: 'oracle', fields, height, atMs: clock.nowMs() });
  return {
    prices: assets.map((asset) => ({ ...asset, seenHeight: changes.known(kind, 'oracle', asset.denom)?.height })),
    height,
    interval: params.blockInterval,
    channel: params.channelId,
  };
};

const metrics = (_target: Target, { prices }: OracleReading): readonly Sample[] =>
  prices.flatMap((one) => [
    sample(price, [one.denom], Number(one.price)),
    sample(priceHeight, [one.denom], Number(one.priceHeight)),
    ...(one.priceHeight === 0n || one.seenHeight === undefined
      ? []
      : [sample(seenHeight, [one.denom], Number(one.seenHeight))]),
  ]);

/**
 * Number of blocks since the price last changed. `undefined` for a price that was never set: this is the normal state of
 * v12.0.2 and not an error.
 */
export const blocksStill = ({ priceHeight: of, seenHeight: since }: OraclePrice, head: bigint): bigint | undefined =>
  of === 0n || since === undefined || since > head ? undefined : head - since;

/** Maximum number of blocks without a price update. */
export const staleAfter = (interval: bigint): bigint =>
  interval * staleRounds > staleBlocks ? interval * staleRounds : staleBlocks;

/**
 * A price is no longer updated. Its age is counted in hub heights at which a new price height was seen. The price height
 * belongs to the other chain and cannot be compared with a hub height.
 */
const oracleStale: CheckRule<Target, OracleReading> = {
  name: 'HubOraclePriceStale',
  severity: 'warning',
  forMs: 0,
  time: 'chain',
  inhibitedBy: [{ rule: 'HubChainHalted', equal: 'chain' }],
  prometheus: {
    expr: `hub_head_height - ignoring (denom) group_right () hub_oracle_asset_price_seen_height > ${staleBlocks}`,
    labels: ['denom'],
    summary: 'The oracle price of {{ $labels.denom }} has not changed for {{ $value | printf "%.0f" }} blocks',
    description:
      'New leases, sessions and renewals with a base value are charged at the last oracle price, even if the market has moved. Running leases are not affected. Set a fixed price (base value 0) to be independent of the oracle.',
    difference:
      'The interval at which the chain requests prices has no metric. If it is long, the daemon waits for ten intervals.',
  },
  judge({ key }, { prices, interval, height }, { head }) {
    const base = { subject: key, term: '' };
    const now = head?.height ?? height;
    if (now === undefined) return { ...base, state: 'unknown', title: `${key}: its height is not known`, text: '' };
    const limit = staleAfter(interval);
    const stale = prices.filter((one) => (blocksStill(one, now) ?? 0n) > limit);
    if (stale.length === 0)
      return { ...base, state: 'ok', title: `${key}: oracle prices move or were never set`, text: '' };
    return {
      ...base,
      state: 'firing',
      title: `${key}: the oracle is frozen: ${counted(stale.length, 'price')} did not move for over ${limit} blocks`,
      text: [
        ...stale.map(
          (one) =>
            `- ${cut(one.denom, 80)}: ${cut(one.price, 60)} of height ${one.priceHeight} of the other chain, seen at ${one.seenHeight}, ${blocksStill(one, now)} blocks ago`,
        ),
        '',
        `Prices are asked for every ${interval} blocks.`,
        'Whoever names a price with a base value is paid by the last price that came, however far the market has moved since. Quote a fixed price (base value 0) to be independent of it. New leases, sessions and renewals are charged so; leases that run are not touched.',
      ].join('\n'),
    };
  },
};

/** Prices of the oracle, and the hub height of the last update of each. */
export const oraclePrices: Check<Target, OracleReading> = {
  name: 'oracle',
  families: [price, priceHeight, seenHeight],
  everyMs: (config) => config.poll.network,
  targets: chainTargets,
  collect,
  metrics,
  rules: [oracleStale],
};

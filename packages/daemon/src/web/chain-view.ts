import { oraclePrices } from '../checks/chain/oracle-prices.js';
import { parameters } from '../checks/chain/parameters.js';
import { parameterWords } from '../checks/chain/hub-parameters.js';
import { effectWords } from '../checks/chain/proposal-effects.js';
import { proposals } from '../checks/chain/proposals.js';
import { upgradeClock } from '../checks/chain/upgrade-clock.js';
import type { Config } from '../config/schema.js';
import { networkName } from '../config/network-name.js';
import type { BlockHead } from '../endpoints/head.js';
import type { Observations } from '../observations/observations.js';
import { cut, iso } from '../words.js';

/** Maximum number of proposals, effects and prices in the page and in JSON. */
const most = 20;

/** Decided and open governance proposals and their effects. Unknown parts are absent. */
export const chainView = (config: Config, observations: Observations, head: BlockHead | undefined, nowMs: number) => {
  const key = networkName(config);
  const params = observations.outcome(parameters, key);
  const plan = observations.outcome(upgradeClock, key);
  const open = observations.outcome(proposals, key);
  const oracle = observations.outcome(oraclePrices, key);
  const texts = params?.state === 'known' ? params.reading.texts : undefined;
  return {
    parameters:
      texts &&
      Object.fromEntries(
        [...texts].flatMap(([module, fields]) =>
          Object.entries(fields).map(([field, text]) => {
            const { name, is, value } = parameterWords(module, field, text);
            return [name, { is, value }];
          }),
        ),
      ),
    upgrade:
      plan?.state === 'known'
        ? plan.reading.plan && {
            name: cut(plan.reading.plan.name, 80),
            height: String(plan.reading.plan.height),
            blocksLeft:
              head === undefined || plan.reading.plan.height <= head.height
                ? undefined
                : String(plan.reading.plan.height - head.height),
            expected: plan.reading.plan.expectedMs === undefined ? undefined : iso(plan.reading.plan.expectedMs),
            secondsLeft:
              plan.reading.plan.expectedMs === undefined
                ? undefined
                : Math.round((plan.reading.plan.expectedMs - nowMs) / 1_000),
            windowBlocks: plan.reading.plan.pace && String(plan.reading.plan.pace.blocks),
            programs: [...plan.reading.plan.binaries].map(([endpoint, { isPresent, text }]) => ({
              endpoint,
              isPresent,
              text: cut(text, 200),
            })),
          }
        : undefined,
    isUpgradeKnown: plan?.state === 'known',
    proposals:
      open?.state === 'known'
        ? open.reading.open.slice(0, most).map(({ id, stage, title, endsMs, effects }) => ({
            id: String(id),
            stage,
            title,
            ends: endsMs === undefined ? undefined : iso(endsMs),
            effects: effects.slice(0, most).map((effect) => cut(effectWords(effect, texts, head?.height), 1_000)),
          }))
        : undefined,
    prices:
      oracle?.state === 'known'
        ? oracle.reading.prices.slice(0, most).map(({ denom, price, priceHeight, seenHeight }) => ({
            denom: cut(denom, 100),
            price: cut(price, 60),
            priceHeight: String(priceHeight),
            seenHeight: seenHeight === undefined ? undefined : String(seenHeight),
          }))
        : undefined,
  };
};

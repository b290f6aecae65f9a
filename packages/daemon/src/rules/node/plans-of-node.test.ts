import { expect, test } from 'vitest';
import { nodeAddress, providerAddress, testConfig } from '../../../test/parts.js';
import { start, viewOf } from '../../../test/rule-view.js';
import { watchedNodes } from '../../checks/node/watched-nodes.js';
import { watchedPlans } from '../../checks/plan/watched-plans.js';
import { nodeInactive } from './node-inactive.js';

const elsewhere = 'sentnode1other';
const plan = (id: bigint, nodes: readonly string[], ...lost: readonly { node: string; atMs: number }[]) => ({
  plan: { id },
  nodes,
  lost,
});
const plans = [
  plan(1n, [nodeAddress]),
  plan(2n, [elsewhere], { node: nodeAddress, atMs: start + 9_000 }),
  plan(3n, [elsewhere], { node: nodeAddress, atMs: start - 1 }, { node: elsewhere, atMs: start + 9_000 }),
];
const node = { status: 3, statusAt: { seconds: BigInt(start / 1_000), nanos: 0 } };
const ended = [providerAddress, 'sentprov1b'].map((provider, at) => ({
  leaseId: String(at),
  provider,
  refund: undefined,
}));

const textOf = (reading: unknown, lapse: object = { lapse: { height: 9n, ended } }): string =>
  nodeInactive.evaluate(
    viewOf({
      readings: [
        [watchedNodes, nodeAddress, { node, height: 10n }],
        [watchedPlans, providerAddress, reading],
      ],
      nowMs: start,
      lapsedMs: start,
      ...lapse,
    }),
  )[0]?.text ?? '';

test('node inactive: the plans that it left with its leases, whether their reading is of before or after', () => {
  const text = textOf({ plans });
  expect(text).toContain(`It left: plan 1 of ${providerAddress}, plan 2 of ${providerAddress}.`);
  expect(text).not.toContain('plan 3');
  expect(text).toContain('It left the plans of 1 provider that is not watched too.');
  expect(textOf(new Error('down'))).toContain(`It left: the plans of ${providerAddress} are not known at the moment.`);
});

test('node inactive: no plan is named when no lease ended; of a block that was not read those of watched providers are', () => {
  expect(textOf({ plans }, { lapse: { height: 9n, ended: [] } })).not.toContain('It left');
  expect(textOf({ plans }, { lapse: undefined })).toContain(`It left: plan 1 of ${providerAddress}, plan 2`);
  const config = { ...testConfig(), watch: { ...testConfig().watch, providers: [] } };
  expect(textOf({ plans }, { lapse: undefined, config })).not.toContain('It left');
});

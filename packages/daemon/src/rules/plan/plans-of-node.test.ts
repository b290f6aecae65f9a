import { expect, test } from 'vitest';
import { nodeAddress, providerAddress } from '../../../test/parts.js';
import { lapseOf, start, verdictsOf, viewOf } from '../../../test/rule-view.js';
import { watchedNodes } from '../../checks/node/watched-nodes.js';
import { watchedPlans } from '../../checks/plan/watched-plans.js';
import type { Lapse } from '../../ledger/lapses.js';
import { nodeInactive } from '../node/node-inactive.js';

const node = { status: 3, statusAt: { seconds: BigInt(start / 1_000), nanos: 0 } };
const ended = [{ leaseId: '4', provider: providerAddress, refund: undefined }];
/** A reading from before the lapse, which still has the link. */
const plans = [{ plan: { id: 1n }, nodes: [nodeAddress], lost: [] }];

const textOf = (lapse: Partial<Lapse> | undefined): string =>
  verdictsOf(
    nodeInactive,
    viewOf({
      readings: [
        [watchedNodes, nodeAddress, { node, height: 10n }],
        [watchedPlans, providerAddress, { plans }],
      ],
      nowMs: start,
      lapsedMs: start,
      ...(lapse === undefined ? {} : { lapse: lapseOf(nodeAddress, lapse) }),
    }),
  )[0]?.text ?? '';

test('node inactive: the plans that it left come from the events of the block', () => {
  const unlinked = [
    { plan: '1', provider: providerAddress },
    { plan: '7', provider: 'sentprov1b' },
  ];
  expect(textOf({ ended, unlinked })).toContain(`It left: plan 1 of ${providerAddress}, plan 7 of sentprov1b.`);
});

test('node inactive: no plan is named if the events show none, or were not read', () => {
  expect(textOf({ ended })).not.toContain('It left');
  expect(textOf(undefined)).not.toContain('It left');
});

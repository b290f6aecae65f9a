import { expect, test } from 'vitest';
import { verdictsOf } from '../../../test/rule-view.js';
import { fakeEndpoint, page, time } from '../../../test/fake-endpoint.js';
import { usualParams } from '../../../test/hub-params.js';
import { testParts } from '../../../test/parts.js';
import { hubModules, parameterTexts } from '../../checks/chain/hub-parameters.js';
import { parameters } from '../../checks/chain/parameters.js';
import { proposals, type ProposalsReading } from '../../checks/chain/proposals.js';
import { createChangeHistory } from '../../store/change-history.js';
import { createObservations } from '../../observations/observations.js';
import type { RuleView } from '../rule.js';
import { proposalOpen } from './proposal-open.js';

const start = 1_800_000_000_000;
const hour = 3_600_000;

const texts = new Map(hubModules.map((module) => [module, parameterTexts(module, usualParams[module] as never)]));

const proposal = (id: bigint, status: 1 | 2, messages: readonly object[], sinceMs = start, title = 'A title') => ({
  id,
  status,
  messages,
  title,
  submitTime: time(sinceMs),
  depositEndTime: time(sinceMs + hour),
  votingStartTime: status === 2 ? time(sinceMs) : undefined,
  votingEndTime: status === 2 ? time(sinceMs + 2 * hour) : undefined,
});

const lower = {
  typeUrl: '/hub.node.v3.MsgUpdateParamsRequest',
  value: { from: 'gov', params: { ...usualParams.node, statusTimeout: { seconds: 1_800n, nanos: 0 } } },
};
const upgrade = {
  typeUrl: '/stack.upgrade.v1beta1.MsgSoftwareUpgrade',
  value: { authority: 'gov', plan: { name: 'v13_0_0', height: 905_000n } },
};
const text = {
  typeUrl: '/stack.gov.v1.MsgExecLegacyContent',
  value: { content: { typeUrl: '/stack.gov.v1beta1.TextProposal', value: { title: 't', description: 'd' } } },
};
const legacySwap = {
  typeUrl: '/stack.gov.v1.MsgExecLegacyContent',
  value: {
    content: {
      typeUrl: '/stack.params.v1beta1.ParameterChangeProposal',
      value: { changes: [{ subspace: 'swap', key: 'SwapEnabled', value: 'true' }] },
    },
  },
};

const chain = (isKnown = true) => {
  const fake = fakeEndpoint();
  const parts = testParts({ own: fake });
  const observations = createObservations([parameters, proposals], parts.config);
  const [target] = proposals.targets(parts.config);
  if (target === undefined) throw new Error('no target');
  const moment = { head: undefined, clockMs: start };
  if (isKnown)
    observations.record(parameters, target, {
      state: 'known',
      reading: { params: {}, texts, height: 1n, counts: new Map(), news: [] },
      moment,
    });
  let all: readonly ReturnType<typeof proposal>[] = [];
  fake.queries['stack.gov.v1.Query/Proposals'] = ({ proposalStatus }: { proposalStatus: number }) =>
    page(
      'proposals',
      all.filter(({ status }) => status === proposalStatus),
    );
  const view = {
    config: parts.config,
    observations,
    head: { height: 904_000n, timeMs: start + hour },
  } as unknown as RuleView;
  const look = async (now: typeof all, context = parts) => {
    all = now;
    fake.height += 1n;
    const reading = await proposals.collect(target, context);
    observations.record(proposals, target, { state: 'known', reading, moment });
    return only(view, reading);
  };
  const only = (of: RuleView, reading?: ProposalsReading) => {
    const [verdict, ...more] = verdictsOf(proposalOpen, of);
    if (verdict === undefined || more.length > 0) throw new Error('one verdict expected');
    return { verdict, reading };
  };
  /** The same after a restart: stored data is read from the store. */
  const again = () => (now: typeof all) => look(now, { ...parts, changes: createChangeHistory(parts.store) });
  return {
    look,
    again,
    fail: () => {
      observations.record(proposals, target, { state: 'failed', reason: 'timeout', text: 'late', moment });
      return only(view).verdict;
    },
    target,
  };
};

test('proposal open: a vote on parameters is reported with its end and each change, present → proposed', async () => {
  const { verdict, reading } = await chain().look([proposal(3n, 2, [lower])]);
  expect(verdict).toMatchObject({
    state: 'firing',
    term: '3 voting',
    title: 'hub-test: proposal 3 is voted on: A title',
  });
  expect(verdict.text).toBe(
    [
      'Proposal 3: A title',
      'Voting is open until 2027-01-15 10:00:00 UTC.',
      'If it passes:',
      '- node.status_timeout: 1 h → 30 min (how long a heartbeat keeps a node active).',
      "  Heartbeats must come twice as often. A node that continues as before becomes inactive between two of them and loses every lease. Existing deadlines are kept: it begins with each node's next heartbeat, so set the interval of your nodes now.",
    ].join('\n'),
  );
  expect(proposals.metrics({ key: 'x' }, reading as ProposalsReading).map((one) => [...one.labels, one.value])).toEqual(
    [
      ['deposit', 0],
      ['voting', 1],
      ['3', start / 1_000 + 7_200],
    ],
  );
});

test('proposal open: an upgrade states its height and distance, a legacy change its parameter', async () => {
  const first = await chain().look([proposal(2n, 2, [upgrade])]);
  expect(first.verdict.text).toContain('replaced at height 905000, 1000 blocks from now: upgrade v13_0_0.');
  const second = await chain().look([proposal(6n, 2, [legacySwap])]);
  expect(second.verdict.text).toContain('- swap.swap_enabled: off → on');
});

test('proposal open: texts, spending and other modules are counted and not reported', async () => {
  const { verdict, reading } = await chain().look([proposal(7n, 1, [text]), proposal(8n, 2, [])]);
  expect(verdict.state).toBe('ok');
  expect([...(reading?.counts ?? [])]).toEqual([
    ['deposit', 1],
    ['voting', 1],
  ]);
});

test('proposal open: a parameter set to its present value is reported as no change', async () => {
  const same = { ...lower, value: { from: 'gov', params: usualParams.node } };
  const { verdict } = await chain().look([proposal(3n, 1, [same])]);
  expect(verdict.text).toContain('- parameters of the module node are set to what they are: nothing changes');
  expect(verdict.title).toContain('collects its deposit');
});

test('proposal open: while present parameters are not known, no change is reported', async () => {
  const { verdict } = await chain(false).look([proposal(3n, 2, [lower])]);
  expect(verdict.text).toContain('their current values are unknown');
  expect(verdict.text).not.toContain('→');
});

test('proposal open: reported when first seen and when its vote begins, and not again when a newer one has ended', async () => {
  const { look, fail } = chain();
  const old = proposal(3n, 2, [lower], start);
  const newer = (status: 1 | 2, sinceMs: number) => proposal(4n, status, [upgrade], sinceMs);
  const terms: string[] = [];
  for (const now of [[old], [old, newer(1, start + 1_000)], [old, newer(2, start + 2_000)], [old], []]) {
    const { verdict } = await look(now);
    terms.push(`${verdict.state} ${verdict.term}`);
    expect(verdict.passedOn).toBe(true);
  }
  expect(terms).toEqual(['firing 3 voting', 'firing 4 deposit', 'firing 4 voting', 'ok ', 'ok ']);
  expect(fail().state).toBe('unknown');
});

test('proposal open: a proposal that an endpoint omits once is not reported again, even after a restart', async () => {
  const { look, again } = chain();
  const vote = proposal(4n, 2, [upgrade]);
  const states: string[] = [];
  for (const now of [[vote], [], [vote]]) states.push((await look(now)).verdict.state);
  expect(states).toEqual(['firing', 'ok', 'ok']);
  const after = again();
  expect((await after([vote])).verdict.state).toBe('ok');
  // A newer proposal is reported.
  expect((await after([vote, proposal(5n, 2, [lower], start + 1_000)])).verdict).toMatchObject({
    state: 'firing',
    term: '5 voting',
  });
});

test('proposal open: a vote that begins between the two requests: reported and counted once, in its voting period', async () => {
  const { verdict, reading } = await chain().look([
    proposal(4n, 1, [upgrade]),
    proposal(4n, 2, [upgrade], start + 1_000),
  ]);
  expect(verdict.term).toBe('4 voting');
  expect(verdict.text).not.toContain('Open beside it');
  expect([...(reading?.counts ?? [])]).toEqual([
    ['deposit', 0],
    ['voting', 1],
  ]);
});

test('proposal open: a message of a later version is reported by its name, and hostile text is truncated', async () => {
  const later = { typeUrl: `/hub.node.v9.${'X'.repeat(5_000)}`, raw: new Uint8Array() };
  const { verdict } = await chain().look([proposal(9n, 2, [later], start, 'y'.repeat(1_000_000))]);
  expect(verdict.text).toContain('- has the message hub.node.v9.XXX');
  expect(verdict.text.length).toBeLessThan(1_000);
  expect(verdict.title.length).toBeLessThan(400);
});

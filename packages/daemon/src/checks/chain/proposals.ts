import { type Proposal, ProposalStatus } from '@hubwatch/types/gen/forms/stack/gov/v1/gov';
import { proposals as queryProposals } from '@hubwatch/types/gen/methods/stack/gov/v1/query';
import { readPages } from '../../endpoints/pages.js';
import { cut } from '../../words.js';
import type { Check, CollectContext, Target } from '../check.js';
import { gauge, type Sample, sample } from '../family.js';
import { msOf } from '../times.js';
import { chainTargets } from './chain-target.js';
import { effectsOf, type ProposalEffect } from './proposal-effects.js';

const stages = ['deposit', 'voting'] as const;
export type ProposalStage = (typeof stages)[number];

/** An open proposal that touches the hub's modules or its program. */
export interface OpenProposal {
  readonly id: bigint;
  readonly stage: ProposalStage;
  /** Free text from the proposer. */
  readonly title: string;
  /** Start and end of the stage, in milliseconds of chain time. */
  readonly sinceMs: number;
  readonly endsMs: number | undefined;
  readonly effects: readonly ProposalEffect[];
}

export interface ProposalsReading {
  /** Number of all open proposals, including those that do not concern the hub. */
  readonly counts: ReadonlyMap<ProposalStage, number>;
  /** Most recent stage first. */
  readonly open: readonly OpenProposal[];
  /**
   * The latest stage that any relevant proposal reached, as `since id stage`; this is the one that is reported. Permanently
   * `undefined` once the proposal was seen to be closed. An endpoint that still lists it then causes no new notice; older
   * proposals were already reported together with it.
   */
  readonly newest: string | undefined;
  readonly height: bigint | undefined;
}

const open = gauge(
  'hub_proposals',
  ['status'],
  'Open proposals: in their deposit period, in their voting period',
  'slow',
);
const votingEnd = gauge(
  'hub_proposal_voting_end_timestamp_seconds',
  ['proposal_id'],
  'End of the vote on a proposal that changes hub parameters, the oracle or the program',
  'slow',
);
/** Maximum number of proposals with their own series. Anyone who pays the deposit can create a proposal. */
const mostSeries = 50;
const kind = 'proposals';

export const stageKey = ({ sinceMs, id, stage }: OpenProposal): string => `${sinceMs} ${id} ${stage}`;

const stageOf = (proposal: Proposal): ProposalStage | undefined =>
  proposal.status === ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD
    ? 'voting'
    : proposal.status === ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD
      ? 'deposit'
      : undefined;

const openOf = (proposal: Proposal, stage: ProposalStage): OpenProposal => {
  const since = stage === 'voting' ? proposal.votingStartTime : proposal.submitTime;
  const ends = stage === 'voting' ? proposal.votingEndTime : proposal.depositEndTime;
  return {
    id: proposal.id,
    stage,
    title: cut(proposal.title, 200),
    sinceMs: since === undefined ? 0 : msOf(since),
    endsMs: ends === undefined ? undefined : msOf(ends),
    effects: effectsOf(proposal.messages),
  };
};

/** Orders by stage start; proposals that reached their stage in the same block by number. */
const order = (a: string, b: string): number => {
  const [aMs, aId] = a.split(' ').map(Number);
  const [bMs, bId] = b.split(' ').map(Number);
  return (aMs ?? 0) - (bMs ?? 0) || (aId ?? 0) - (bId ?? 0);
};

const collect = async (
  _target: Target,
  { pool, changes, clock, signal }: CollectContext,
): Promise<ProposalsReading> => {
  const { found, counts, height } = await pool.read('proposals', signal, async (source) => {
    const all: OpenProposal[] = [];
    let at: bigint | undefined;
    for (const proposalStatus of [
      ProposalStatus.PROPOSAL_STATUS_DEPOSIT_PERIOD,
      ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD,
    ]) {
      // Small pages: a proposal may contain the code of a contract.
      const walk = { method: queryProposals, request: { proposalStatus }, limit: 10, maxPages: 50, height: at };
      const read = await readPages(source, { ...walk, items: (page) => page.proposals }, (page) => {
        for (const proposal of page) {
          const stage = stageOf(proposal);
          if (stage !== undefined) all.push(openOf(proposal, stage));
        }
      });
      at ??= read.height;
    }
    const each = onceEach(all);
    const counted = new Map(stages.map((of) => [of, each.filter(({ stage }) => stage === of).length]));
    return { found: each.filter(({ effects }) => effects.length > 0), counts: counted, height: at };
  });
  const sorted = found.toSorted((a, b) => order(stageKey(b), stageKey(a)));
  const kept = changes.known(kind, 'newest', 'stage')?.value;
  const [first] = sorted;
  const newest = [kept, first && stageKey(first)]
    .filter((one) => one !== undefined)
    .toSorted(order)
    .at(-1);
  const isOver =
    newest !== undefined && (changes.known(kind, 'newest', 'over')?.value === newest || !isOpen(sorted, newest));
  if (newest !== undefined)
    changes.note({
      ...{ kind, subject: 'newest', height, atMs: clock.nowMs() },
      fields: { stage: newest, over: isOver ? newest : '' },
    });
  return { counts, open: sorted, newest: isOver ? undefined : newest, height };
};

const isOpen = (open: readonly OpenProposal[], stage: string): boolean => open.some((one) => stageKey(one) === stage);

/**
 * Removes duplicates. A proposal that changes its stage between the two requests is in both lists; the voting stage is the
 * newer one.
 */
const onceEach = (all: readonly OpenProposal[]): readonly OpenProposal[] => {
  const byId = new Map<bigint, OpenProposal>();
  for (const one of all) if (one.stage === 'voting' || !byId.has(one.id)) byId.set(one.id, one);
  return [...byId.values()];
};

const metrics = (_target: Target, reading: ProposalsReading): readonly Sample[] => [
  ...[...reading.counts].map(([stage, count]) => sample(open, [stage], count)),
  ...reading.open
    .filter(({ stage }) => stage === 'voting')
    .slice(0, mostSeries)
    .flatMap(({ id, endsMs }) => (endsMs === undefined ? [] : [sample(votingEnd, [String(id)], endsMs / 1_000)])),
];

/** Open proposals, with the effects of those that concern the hub's modules or its program. */
export const proposals: Check<Target, ProposalsReading> = {
  name: 'proposals',
  families: [open, votingEnd],
  everyMs: (config) => config.poll.network,
  targets: chainTargets,
  collect,
  metrics,
};

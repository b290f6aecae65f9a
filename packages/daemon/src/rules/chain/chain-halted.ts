import { isIn, range } from '../../checks/prometheus.js';
import type { AgreementReading } from '../../checks/endpoint/agreement.js';
import type { Verdict } from '../../checks/verdict.js';
import { networkName } from '../../config/network-name.js';
import type { ChainState } from '../../endpoints/judgement.js';
import type { NewestBlock } from '../../endpoints/pool.js';
import { agreementOf, seenText } from '../endpoint/endpoint-verdicts.js';
import type { Rule, RuleView } from '../rule.js';
import { utc } from '../../words.js';

const limitMs = 180_000;
/** Maximum duration of missing heads that the PromQL condition bridges. */
const gapMs = 600_000;
/**
 * How long the arrival of a new block proves progress. After that the state is unknown until the next block or until the limit.
 */
const newsMs = 20_000;
/**
 * Minimum number of polls of an endpoint without a newer block. With a fast clock, as in a demo, three minutes pass between two
 * polls. With polls minutes apart, one poll is enough.
 */
const looksNeeded = (pollMs: number): number => Math.min(3, Math.ceil(limitMs / pollMs));

/**
 * Whether the chain is halted. Progress is shown only by a block that arrived while this daemon was running. Until then the
 * state is unknown, even if the latest block looks recent by a clock that may be wrong.
 */
const stateOf = (newest: NewestBlock, { clockMs, config, isOneRound = false }: RuleView): Verdict['state'] => {
  const { hasMoved, stillMs, sameFor, timeMs } = newest;
  // In a single round only the age of the block is available.
  if (isOneRound) return clockMs - timeMs > limitMs ? 'firing' : 'ok';
  if (hasMoved && stillMs <= newsMs) return 'ok';
  const isOld = stillMs > limitMs || (!hasMoved && clockMs - timeMs > limitMs);
  return isOld && sameFor >= looksNeeded(config.poll.endpoints) ? 'firing' : 'unknown';
};

/** No endpoint receives a new block: for three minutes, or at the height of an upgrade. */
export const chainHalted: Rule = {
  name: 'HubChainHalted',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  deviation:
    'At the height of a planned upgrade it fires as soon as the endpoints are seen to wait there, within 60 s of the halt. After a start it neither fires nor ends before that is known from what was seen since.',
  prometheus: {
    // The range bridges times in which the head was unknown.
    expr: `hub_head_height <= max_over_time(hub_head_height[${range(gapMs)}] offset ${range(limitMs)})
      or ${isIn('hub_chain_state', 'state', ['upgrade'] satisfies ChainState[])}`,
    labels: [],
    summary: 'No endpoint receives new blocks',
    description:
      'No deadline passes during a halt, but every deadline that falls into it passes in the first block afterwards. Check whether an upgrade is due and what other endpoints report.',
    difference:
      'Prometheus applies the hold to a halt at an upgrade height as well; the daemon reports it at once. In Prometheus the head must have been known in the ten minutes before the last three.',
  },
  evaluate(view) {
    const { newest, config } = view;
    const subject = networkName(config);
    const base = { subject, term: '' };
    if (newest === undefined)
      return [{ ...base, state: 'unknown', title: `${subject}: no endpoint reports its head`, text: '' }];
    const found = agreementOf(view);
    const block = `Newest block: ${newest.height} of ${utc(newest.timeMs)}`;
    if (found?.chain === 'upgrade') return [{ ...base, ...atUpgrade(subject, block, newest, found) }];
    const state = stateOf(newest, view);
    if (state !== 'firing') {
      const title = state === 'ok' ? `${subject}: blocks are coming` : `${subject}: no new block was seen yet`;
      return [{ ...base, state, title, text: `${block}.` }];
    }
    const only =
      config.endpoints.length === 1 ? ' Only one endpoint is configured: it may be that endpoint alone.' : '';
    return [
      {
        ...base,
        state,
        title: `${subject}: no new block since ${utc(newest.timeMs)}`,
        text: [
          `${block}, the newest that any endpoint reports.${only}`,
          ...(found === undefined ? [] : ['', seenText(found)]),
          '',
          `While the chain is halted, no deadline passes.\n${afterwards}`,
        ].join('\n'),
      },
    ];
  },
};

const afterwards = 'When it resumes, every deadline within the halt passes in its first block.';

/**
 * Describes a halt at an upgrade: two polls of each endpoint showed that the block of the upgrade is stored and not executed.
 */
const atUpgrade = (
  subject: string,
  block: string,
  { height }: NewestBlock,
  found: AgreementReading,
): Omit<Verdict, 'subject' | 'term'> => ({
  state: 'firing',
  forMs: 0,
  title: `${subject}: halted at upgrade height ${found.plan?.height ?? height}${found.plan === undefined ? '' : ` (${found.plan.name})`}`,
  text: [
    `${block}.`,
    '',
    seenText(found),
    '',
    'The halt was planned: the chain resumes when enough validators run the new program. Your nodes need it too.',
    `While the chain is halted, no deadline passes.\n${afterwards}`,
  ].join('\n'),
});

import { fromHead } from '../../checks/prometheus.js';
import { parameters } from '../../checks/chain/parameters.js';
import { effectWords, type PresentTexts } from '../../checks/chain/proposal-effects.js';
import { type OpenProposal, proposals, stageKey } from '../../checks/chain/proposals.js';
import { networkName } from '../../config/network-name.js';
import { counted, utc } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';

/** Maximum number of proposals described in one notice. */
const mostShown = 10;

/**
 * A proposal would change hub parameters, the oracle or the program. Reported when it is first seen, and once more when its
 * vote begins and the end of the vote is known.
 */
export const proposalOpen: Rule = {
  name: 'HubProposalOpen',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  prometheus: {
    expr: `${fromHead('hub_proposal_voting_end_timestamp_seconds', ['proposal_id'])} > 0`,
    labels: ['proposal_id'],
    summary: 'Voting on proposal {{ $labels.proposal_id }} ends in {{ $value | humanizeDuration }}',
    description:
      'It would change parameters of the hub or the oracle, or upgrade the chain. Check its effects on the status page before the vote ends.',
    difference:
      'In Prometheus it fires for the whole voting period of each such proposal. The daemon reports each stage once, including the deposit period.',
  },
  evaluate(view) {
    const subject = networkName(view.config);
    const outcome = view.observations.outcome(proposals, subject);
    const base = { subject, term: '', passedOn: true };
    if (outcome?.state !== 'known')
      return [{ ...base, state: 'unknown', title: `${subject}: proposals are not known`, text: '' }];
    const { open, newest } = outcome.reading;
    const [first] = open;
    // The newest proposal has ended; other open proposals were already reported.
    if (first === undefined || stageKey(first) !== newest)
      return [{ ...base, state: 'ok', title: `${subject}: no new proposal`, text: '' }];
    const others = open.slice(1, mostShown);
    const left = open.length - 1 - others.length;
    return [
      {
        ...base,
        term: `${first.id} ${first.stage}`,
        state: 'firing',
        ...(first.endsMs === undefined ? {} : { dueMs: first.endsMs }),
        title: `${subject}: proposal ${first.id} ${first.stage === 'voting' ? 'is voted on' : 'collects its deposit'}: ${first.title}`,
        text: [
          proposalText(first, view),
          ...(others.length === 0 ? [] : ['', 'Also open:']),
          ...others.map((one) => `\n${proposalText(one, view)}`),
          ...(left > 0 ? [`\nand ${counted(left, 'proposal')} more`] : []),
        ].join('\n'),
      },
    ];
  },
};

const proposalText = (proposal: OpenProposal, view: RuleView): string => {
  const { id, title, stage, endsMs, effects } = proposal;
  const present = presentTexts(view);
  const until = endsMs === undefined ? '' : ` until ${utc(endsMs)}`;
  const where =
    stage === 'voting' ? `Voting is open${until}.` : `It collects its deposit${until}; a vote comes only after that.`;
  return [
    `Proposal ${id}: ${title}`,
    where,
    'If it passes:',
    ...effects.map((effect) => `- ${effectWords(effect, present, view.head?.height)}`),
  ].join('\n');
};

const presentTexts = ({ config, observations }: RuleView): PresentTexts => {
  const outcome = observations.outcome(parameters, networkName(config));
  return outcome?.state === 'known' ? outcome.reading.texts : undefined;
};

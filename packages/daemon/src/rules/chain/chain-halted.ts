import type { AgreementReading } from '../../checks/endpoint/agreement.js';
import { networkName } from '../../config/network-name.js';
import { agreementOf, verdictText } from '../endpoint/endpoint-verdicts.js';
import type { Rule } from '../rule.js';
import { span, utc } from '../../words.js';

const limitMs = 180_000;
/**
 * Times that an endpoint must have been asked in vain. With a clock that runs fast, as in a demo, three minutes pass between
 * two polls; with polls minutes apart one of them is enough.
 */
const looksNeeded = (pollMs: number): number => Math.min(3, Math.ceil(limitMs / pollMs));

/** No endpoint knows a block of the last three minutes, and none was found when they were asked again. */
export const chainHalted: Rule = {
  name: 'HubChainHalted',
  severity: 'critical',
  forMs: 60_000,
  time: 'clock',
  evaluate(view) {
    const { newest: head, clockMs, config } = view;
    const subject = networkName(config);
    const base = { subject, term: '' };
    if (head === undefined)
      return [{ ...base, state: 'unknown', title: `${subject}: no endpoint tells its head`, text: '' }];
    const ageMs = clockMs - head.timeMs;
    const newest = `Newest block: ${head.height} of ${utc(head.timeMs)}`;
    if (ageMs <= limitMs || head.sameFor < looksNeeded(config.poll.endpoints))
      return [{ ...base, state: 'ok', title: `${subject}: blocks are coming`, text: `${newest}.` }];
    const only =
      config.endpoints.length === 1 ? ' Only one endpoint is configured: it may be that endpoint alone.' : '';
    const found = agreementOf(view);
    const isUpgrade = found !== undefined && [...found.endpoints.values()].includes('upgrade');
    const planned = isUpgrade
      ? ` ${found.plan?.height ?? head.height}${found.plan ? ` (${found.plan.name})` : ''}`
      : '';
    return [
      {
        ...base,
        state: 'firing',
        title: isUpgrade
          ? `${subject}: halted at upgrade height${planned}`
          : `${subject}: no new block for ${span(ageMs)}`,
        text: [
          `${newest}, the newest that any endpoint tells of.${only}${found ? endpointsText(found) : ''}`,
          '',
          isUpgrade
            ? 'The halt was planned: the chain goes on when enough validators run the new program.'
            : 'While the chain stands, no deadline passes.',
          'When it goes on, every deadline that lies in the pause passes in its first block.',
        ].join('\n'),
      },
    ];
  },
};

const endpointsText = (found: AgreementReading): string =>
  `\n\n${found.facts
    .map((facts) => `- ${facts.name} ${verdictText(facts, found.endpoints.get(facts.name) ?? 'down', found.plan)}`)
    .join('\n')}`;

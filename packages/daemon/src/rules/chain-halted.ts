import { networkName } from './all-endpoints-down.js';
import type { Rule } from './rule.js';
import { span, utc } from '../words.js';

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
  evaluate({ newest: head, clockMs, config }) {
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
    return [
      {
        ...base,
        state: 'firing',
        title: `${subject}: no new block for ${span(ageMs)}`,
        text: `${newest}, the newest that any endpoint tells of.${only}\n\nWhile the chain stands, no deadline passes; when it goes on, every deadline that lies in the pause passes in its first block.`,
      },
    ];
  },
};

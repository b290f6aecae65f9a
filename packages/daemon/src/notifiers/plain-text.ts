import type { Attempt, DeliveredMember, Delivery } from '../outbox/channel.js';
import { counted, cut, iso, oneLine, unreadable } from '../words.js';

export { oneLine };

/** Lines without control characters. */
export const plainLines = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replace(unreadable, ' '));

/** Word that a notice begins with: how bad it is, or that it is over. */
export const mark = ({ kind, severity }: Pick<Delivery, 'kind' | 'severity'>): string =>
  kind === 'firing' ? severity : kind;

/** Who tells, and where there is more. */
export interface NoticeOrigin {
  /** Name of this monitor: several may watch the same. */
  readonly monitor: string;
  readonly statusPage: string | undefined;
}

const shortLines = 12;

/** A notice as lines of plain text; in the short form only the beginning of its text. */
export const noticeLines = (
  { delivery, isShort }: Attempt,
  { monitor, statusPage }: NoticeOrigin,
): readonly string[] => {
  const text = [...memberLines(delivery), ...plainLines(delivery.text)];
  return [
    oneLine(delivery.title),
    '',
    ...(isShort ? [...text.slice(0, shortLines).map((line) => cut(line, 200)), '', shortened] : text),
    '',
    ...replacesLines(delivery),
    `Rule: ${delivery.rule}, severity: ${delivery.severity}`,
    `Seen: ${iso(delivery.atMs)} by ${monitor}`,
    ...(statusPage === undefined ? [] : [`Status page: ${statusPage}`]),
    `Notice: ${delivery.id}`,
  ];
};

const shortened = 'This is a short form: the whole text was refused on its way. The status page has it.';

/** The alerts of a notice about several, one on each line: first those that it is about, then those that still fire. */
const memberLines = ({ kind, members }: Pick<Delivery, 'kind' | 'members'>): readonly string[] => {
  if (members.length < 2) return [];
  const line = ({ title, isOvertaken }: DeliveredMember): string =>
    `- ${oneLine(title)}${isOvertaken === true ? ' (fires again: a later notice follows)' : ''}`;
  const about = members.filter(({ isFiring }) => isFiring === (kind === 'firing'));
  const rest = members.filter((member) => !about.includes(member));
  return [
    ...about.map(line),
    ...(rest.length === 0 ? [] : ['', `${rest.length} of the same notice still firing:`, ...rest.map(line)]),
    '',
  ];
};

const replacesLines = ({ replaces = 0 }: Pick<Delivery, 'replaces'>): readonly string[] =>
  replaces === 0 ? [] : [`It replaces ${counted(replaces, 'earlier notice')} that could not be delivered in time.`];

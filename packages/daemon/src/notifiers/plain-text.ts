import type { Attempt, DeliveredMember, Delivery } from '../outbox/channel.js';
import { counted, cut, iso, oneLine, unreadable } from '../words.js';

export { oneLine };

/** Splits a text into lines without control characters. */
export const plainLines = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replace(unreadable, ' '));

/** Label at the beginning of a notice: the severity, or the fact that it is over. */
export const mark = ({ kind, severity }: Pick<Delivery, 'kind' | 'severity'>): string =>
  kind === 'firing' ? severity : kind;

/** Sender of a notice, and the address with more information. */
export interface NoticeOrigin {
  /** Name of this monitor: several may watch the same network. */
  readonly monitor: string;
  readonly statusPage: string | undefined;
  /** Name of the network, or its chain id. */
  readonly network?: string | undefined;
}

/** Length of a short form without its title and footer, in characters. */
export const shortLength = 1_000;

/**
 * Notice as plain text of at most `limit` characters. For a notice about many alerts, it lists those that fit and the number of
 * the others, followed by as much of the text as fits.
 */
export const noticeText = (attempt: Attempt, origin: NoticeOrigin, limit = Number.POSITIVE_INFINITY): string => {
  const { delivery, isShort } = attempt;
  const title = oneLine(delivery.title);
  const footer = footerLines(attempt, origin).join('\n');
  const room = limit - title.length - footer.length - 3;
  const members = joined(memberLines(delivery), isShort ? Math.min(room, shortLength) : room);
  const left = (isShort ? Math.min(room, shortLength) : room) - members.length - 2;
  const lines = plainLines(delivery.text).join('\n');
  const text = left < shortestText && lines.length > left ? '' : cut(lines, left);
  return [title, ...[members, text].filter((part) => part !== '').map((part) => `\n${part}`), `\n${footer}`].join('\n');
};

/** With less space than this, the text is omitted. */
const shortestText = 80;

const footerLines = ({ delivery, isShort }: Attempt, { monitor, statusPage }: NoticeOrigin): readonly string[] => [
  ...(isShort ? [shortened, ''] : []),
  ...replacesLines(delivery),
  `Rule: ${delivery.rule}, severity: ${delivery.severity}`,
  `Seen: ${iso(delivery.atMs)} by ${monitor}`,
  ...(statusPage === undefined ? [] : [`Status page: ${statusPage}`]),
  `Notice: ${delivery.id}`,
];

const shortened = 'This is a short form: the whole text was refused on its way. The status page has it.';

/** The alerts of a notice about several, one per line: first those that the notice is about, then those that still fire. */
const memberLines = ({ kind, members }: Pick<Delivery, 'kind' | 'members'>): readonly string[] => {
  if (members.length < 2) return [];
  const line = ({ title, isOvertaken }: DeliveredMember): string =>
    `- ${oneLine(title)}${isOvertaken === true ? ' (fires again: a later notice follows)' : ''}`;
  const about = members.filter(({ isFiring }) => isFiring === (kind === 'firing'));
  const rest = members.filter((member) => !about.includes(member));
  return [
    ...about.map(line),
    ...(rest.length === 0 ? [] : ['', `${rest.length} of the same notice still firing:`, ...rest.map(line)]),
  ];
};

/** Joins the lines that fit, and appends how many alerts are omitted. */
const joined = (lines: readonly string[], limit: number): string => {
  const all = lines.join('\n');
  if (all.length <= limit) return all;
  const alerts = (of: readonly string[]): number => of.filter((line) => line.startsWith('- ')).length;
  const longest = `- and ${alerts(lines)} more`.length + 1;
  let [kept, length] = [0, 0];
  for (const line of lines) {
    length += line.length + 1;
    if (length + longest > limit) break;
    kept += 1;
  }
  return [...lines.slice(0, kept), `- and ${alerts(lines.slice(kept))} more`].join('\n');
};

const replacesLines = ({ replaces = 0 }: Pick<Delivery, 'replaces'>): readonly string[] =>
  replaces === 0 ? [] : [`It replaces ${counted(replaces, 'earlier notice')} that could not be delivered in time.`];

import type { Attempt, Delivery } from '../outbox/channel.js';
import { cut, iso, oneLine, unreadable } from '../words.js';

export { oneLine };

/** Lines without control characters. */
export const plainLines = (text: string): readonly string[] =>
  text.split('\n').map((line) => line.replace(unreadable, ' '));

/** Word that a notice begins with: how bad it is, or that it is over. */
export const mark = ({ kind, severity }: Pick<Delivery, 'kind' | 'severity'>): string =>
  kind === 'recovered' ? 'recovered' : severity;

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
  const text = plainLines(delivery.text);
  return [
    oneLine(delivery.title),
    '',
    ...(isShort ? [...text.slice(0, shortLines).map((line) => cut(line, 200)), '', shortened] : text),
    '',
    `Rule: ${delivery.rule}, severity: ${delivery.severity}`,
    `Seen: ${iso(delivery.atMs)} by ${monitor}`,
    ...(statusPage === undefined ? [] : [`Status page: ${statusPage}`]),
    `Notice: ${delivery.id}`,
  ];
};

const shortened = 'This is a short form: the whole text was refused on its way. The status page has it.';

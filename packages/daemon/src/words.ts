/** Last millisecond of the year 9999: a later year has six digits and a sign, which parsers of times do not expect. */
const latestMs = 253_402_300_799_999;
/** First millisecond of the year 0. */
const earliestMs = -62_167_219_200_000;
/** The last nanoseconds of that year round up to the next. */
const dateOf = (ms: number): Date | undefined =>
  ms >= earliestMs && ms <= latestMs + 1 ? new Date(Math.min(ms, latestMs)) : undefined;
export const impossibleTime = 'an impossible time';

/** ISO 8601, or a placeholder text for an impossible time from a hostile endpoint. */
export const iso = (ms: number): string => dateOf(ms)?.toISOString() ?? impossibleTime;

/** `2026-11-27 23:21:33 UTC` */
export const utc = (ms: number): string => {
  const date = dateOf(ms);
  return date === undefined ? impossibleTime : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

const centuryMs = 100 * 365.25 * 86_400_000;

/**
 * `2 min 17 s`, the two greatest units. Negative spans count as zero; the text is bounded for any input from an
 * endpoint.
 */
export const span = (ms: number): string => {
  if (Number.isNaN(ms)) return 'an unknown time';
  if (ms > centuryMs) return 'over 100 years';
  const total = Math.max(0, Math.round(ms / 1_000));
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(total / 86_400), 'd'],
    [Math.floor(total / 3_600) % 24, 'h'],
    [Math.floor(total / 60) % 60, 'min'],
    [total % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first === -1) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
};

/** `1 lease`, `3 leases`; `1 address`, `3 addresses` */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/**
 * At most `limit` UTF-16 units. A text of several lines is cut between lines, a single line between visible characters.
 * The omitted part is counted: `… 3 more lines`, `… (12 more)`.
 */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  return cutLines(text, limit) ?? cutLine(text, limit);
};

/** `undefined` if not even the first line fits. */
const cutLines = (text: string, limit: number): string | undefined => {
  const lines = text.split('\n');
  const note = (kept: number): string => `\n… ${counted(lines.length - kept, 'more line')}`;
  let [kept, length] = [0, 0];
  // The note is longest when all text is left out: its number then has the most digits.
  const room = limit - note(0).length;
  for (const line of lines) {
    if (length + line.length > room) break;
    length += line.length + 1;
    kept++;
  }
  return kept === 0 || kept === lines.length ? undefined : lines.slice(0, kept).join('\n') + note(kept);
};

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const cutLine = (text: string, limit: number): string => {
  const longest = `… (${text.length} more)`;
  // With a very short limit, the count would leave no room for the text.
  const room = limit - (limit > 2 * longest.length ? longest.length : 1);
  // Only the place of the cut is examined: a long text is cut as fast as a short one.
  const end = graphemes.segment(text.slice(0, limit + 1)).containing(room)?.index ?? room;
  const kept = text.slice(0, end);
  return room === limit - 1 ? `${kept}…` : `${kept}… (${text.length - end} more)`;
};

/** `8 500 000 udvpn`: digits in groups of three for readability; narrow no-break spaces prevent line breaks. */
export const amountText = (value: string | bigint, denom: string): string =>
  `${cut(String(value), 60).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')} ${cut(denom, 60)}`;

/**
 * Control, format and direction characters, lone surrogates, line and paragraph separators, none of which has a visible
 * form.
 */
export const unreadable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/**
 * One line without control characters, cut at `limit` characters, so that no part can become a header or another line.
 */
export const oneLine = (text: string, limit = 200): string => cut(text.replace(unreadable, ' '), limit);

/** Last millisecond that a date can be. */
const latestMs = 8.64e15;
export const impossibleTime = 'an impossible time';

/** ISO 8601, or words for what a hostile endpoint gave as a time. */
export const iso = (ms: number): string => (Math.abs(ms) <= latestMs ? new Date(ms).toISOString() : impossibleTime);

/** `2026-11-27 23:21:33 UTC` */
export const utc = (ms: number): string =>
  Math.abs(ms) <= latestMs ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC` : impossibleTime;

const centuryMs = 100 * 365.25 * 86_400_000;

/** `2 min 17 s`, the two greatest units. Negative spans count as none; what a hostile endpoint makes of one is bounded. */
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

/** At most `limit` UTF-16 units, closed with `…` where something was left out; no character is cut in two. */
export const cut = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
};

/** `8 500 000 udvpn`: digits in threes, so that nobody counts zeros; narrow no-break spaces keep them on a line. */
export const amountText = (value: string | bigint, denom: string): string =>
  `${cut(String(value), 60).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')} ${cut(denom, 60)}`;

/** Control, format and direction characters, lone surrogates, line and paragraph separators: nothing of them is to be read. */
export const unreadable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** One line without control characters, cut at `limit` characters: nothing in it can become a header or another line. */
export const oneLine = (text: string, limit = 200): string => cut(text.replace(unreadable, ' '), limit);

import { printDuration } from '@hubwatch/types/runtime/time';
import { cut, span } from '../../words.js';

/**
 * Unit of a parameter's text. Texts are exact, so that equal values have equal texts, and they are stored. Examples: `3600s`,
 * `720`, `0.200000000000000000`, `true`, `10udvpn`; prices are joined by semicolons, as in events.
 */
export type ParameterUnit =
  | 'duration'
  | 'hours'
  | 'gigabytes'
  | 'blocks'
  | 'count'
  | 'share'
  | 'flag'
  | 'coin'
  | 'prices'
  | 'text';

export { printDuration };

/** Numeric value of a text, for units that have one: seconds for a duration, a fraction of 1 for a share. */
export const numberOf = (text: string): number => Number(text.replace(/s$/, ''));

/**
 * Formats a duration as `1 h 30 min`. A fraction or a value below one second is given in seconds, so that nothing is rounded
 * away.
 */
const durationWords = (text: string): string => {
  const seconds = numberOf(text);
  const words = span(seconds * 1_000);
  // `span` omits everything below its two largest units.
  const isWhole = Number.isInteger(seconds) && (seconds < 3_600 || seconds % (seconds >= 86_400 ? 3_600 : 60) === 0);
  return isWhole && seconds > 0 ? words : `${text.replace(/s$/, '')} s`;
};

/** Formats a share as an exact percentage, for example `20 %`, without trailing zeros. */
const shareWords = (text: string): string => {
  const [whole = '0', fraction = ''] = text.split('.');
  const digits = `${whole}${fraction.padEnd(2, '0').slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = fraction.slice(2).replace(/0+$/, '');
  return `${digits}${rest === '' ? '' : `.${rest}`} %`;
};

const withoutZeros = (decimal: string): string => decimal.replace(/\.?0+$/, '');

const priceWords = (text: string): string => {
  if (text === '') return 'no denom is allowed';
  return text
    .split(';')
    .map((price) => {
      const [, denom = price, base = '', quote = ''] = /^(.*):([0-9.]+),([0-9]+)$/.exec(price) ?? [];
      const inBase = /[1-9]/.test(base) ? ` or ${withoutZeros(base)} in the reference unit` : '';
      return `at least ${quote} ${denom}${inBase}`;
    })
    .join(', ');
};

const words: Readonly<Record<ParameterUnit, (text: string) => string>> = {
  duration: durationWords,
  hours: (text) =>
    numberOf(text) % 24 === 0 && numberOf(text) > 24 ? `${text} h (${numberOf(text) / 24} d)` : `${text} h`,
  gigabytes: (text) => `${text} GB`,
  blocks: (text) => `${text} blocks`,
  count: (text) => text,
  share: shareWords,
  flag: (text) => (text === 'true' ? 'on' : 'off'),
  coin: (text) => text.replace(/^(\d+)(?=\D)/, '$1 '),
  prices: priceWords,
  text: (text) => (text === '' ? 'not set' : text),
};

/** Formats a parameter's value with its unit. The text comes from an endpoint and is truncated. */
export const valueWords = (unit: ParameterUnit, text: string): string => cut(words[unit](text), 400);

/**
 * Compares frequencies, given the interval before and after: `twice as often`, `half as often`, `1.5 times as often`, `3 times
 * less often`.
 */
export const asOften = (before: string, after: string): string => {
  const ratio = numberOf(before) / numberOf(after);
  if (ratio === 2) return 'twice as often';
  if (ratio === 0.5) return 'half as often';
  return ratio > 1 ? `${round(ratio)} times as often` : `${round(1 / ratio)} times less often`;
};

const round = (value: number): string => String(Math.round(value * 100) / 100);

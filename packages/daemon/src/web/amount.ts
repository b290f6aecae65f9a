import { cut } from '../words.js';

/** `8 500 000 udvpn`: digits in threes, so that nobody counts zeros; narrow no-break spaces keep them on a line. */
export const amountText = (value: string, denom: string): string =>
  `${cut(value, 60).replace(/\B(?=(?:\d{3})+$)/g, '\u202f')} ${cut(denom, 60)}`;

/**
 * Prices and coins as texts. A comma separates the two values of a price, but also one coin from the next; a semicolon
 * separates prices. Therefore each kind of text has its own reader, and none guesses.
 */
import { CodecError } from './codec-error.js';
import { readDec, readInt } from './dec.js';
import type { Dec, Int } from './values.js';

/** Form of `hub.types.v1.Price`. */
export interface PriceParts {
  /** Empty on a zero price. */
  readonly denom: string;
  /** In the reference unit of the oracle; zero if it is not used. */
  readonly baseValue: Dec;
  /** In the denom itself. */
  readonly quoteValue: Int;
}

/** Form of `stack.base.v1beta1.Coin`. */
export interface CoinParts {
  readonly denom: string;
  readonly amount: Int;
}

/**
 * Price in an event: `udvpn:0.005000000000000000,25000000`.
 *
 * @throws CodecError when the text is not a price
 * @source hub messages, texts in events
 */
export function readPrice(text: string): PriceParts {
  // A denom may contain colons, and also slashes.
  const parts = /^([^;,]*):([0-9]+(?:\.[0-9]+)?),([0-9]+)$/.exec(text);
  if (parts === null) throw notA('price of the form denom:base,quote', text);
  const [, denom = '', base = '', quote = ''] = parts;
  return { denom, baseValue: readDec(base), quoteValue: readInt(quote) };
}

/** Prices in an event, separated by semicolons; an empty list for the empty text. @throws CodecError */
export function readPrices(text: string): PriceParts[] {
  return text === '' ? [] : text.split(';').map(readPrice);
}

/** Prices in the configuration of a node: as in events, with `_` allowed inside a number. @throws CodecError */
export function readConfigPrices(text: string): PriceParts[] {
  if (text === '') return [];
  return text.split(';').map((price) => {
    const at = price.lastIndexOf(':');
    return readPrice(price.slice(0, at + 1) + price.slice(at + 1).replace(/(?<=\d)_(?=\d)/g, ''));
  });
}

/**
 * Coins, the form of prices in older releases: `52573ibc/31FE…,9204udvpn`; an empty list for the empty text. @throws
 * CodecError
 */
export function readCoins(text: string): CoinParts[] {
  if (text === '') return [];
  return text.split(',').map((coin) => {
    const parts = /^([0-9]+)([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/.exec(coin);
    if (parts === null) throw notA('coin of the form 100udvpn', coin);
    const [, amount = '', denom = ''] = parts;
    return { denom, amount: readInt(amount) };
  });
}

/** Text of a price as in events. */
export function printPrice({ denom, baseValue, quoteValue }: PriceParts): string {
  return `${denom}:${readDec(baseValue)},${readInt(quoteValue)}`;
}

function notA(what: string, text: string): CodecError {
  return new CodecError(`${JSON.stringify(text.slice(0, 80))} is no ${what}`);
}

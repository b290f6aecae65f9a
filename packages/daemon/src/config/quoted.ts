import { cut, unreadable } from '../words.js';

const longest = 32;
/** An address of the chain, which is public. */
const chainAddress = /^sent[a-z]{0,16}1[02-9ac-hj-np-z]{6,90}$/;
/** What keys, tokens and addresses with credentials have and plain settings do not. */
const secretive = /[@?=/\\]|(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{12,}/i;

/** A value as messages show it: on one line, short, and described instead of shown where it may hold a secret. */
export const quoted = (value: unknown): string => {
  if (typeof value !== 'string') return kindOf(value);
  if (chainAddress.test(value)) return JSON.stringify(value);
  if (value.length > longest || secretive.test(value)) return `a text of ${value.length} characters`;
  return JSON.stringify(value.replace(unreadable, ' '));
};

/** An address as messages show it: only where it is no more than a host and a port. */
export const quotedAddress = (value: unknown): string =>
  typeof value === 'string' && /^[\w-]*(?:[.:][\w-]+)+$/.test(value) ? quoted(value) : kindOf(value);

/** What a value is, without the value of a text. */
export const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string'
    ? `a text of ${value.length} characters`
    : // oxlint-disable-next-line typescript/no-base-to-string
      String(value);
};

/** A key as messages show it. */
export const shownKey = (key: string): string =>
  secretive.test(key) ? `(a key of ${key.length} characters)` : cut(key.replace(unreadable, ' '), 40);

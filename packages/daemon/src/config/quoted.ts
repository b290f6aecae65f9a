import { cut, unreadable } from '../words.js';

const longest = 32;
/** An address on the chain, which is public. */
const chainAddress = /^sent[a-z]{0,16}1[02-9ac-hj-np-z]{6,90}$/;
/** Matches texts that look like keys, tokens and addresses with credentials, and not like plain settings. */
const secretive = /[@?=/\\]|(?=[\w+-]*\d)(?=[\w+-]*[a-z])[\w+-]{12,}/i;

/** Formats a value for messages: on one line, shortened, and described instead of shown if it may contain a secret. */
export const quoted = (value: unknown): string => {
  if (typeof value !== 'string') return kindOf(value);
  if (chainAddress.test(value)) return JSON.stringify(value);
  if (value.length > longest || secretive.test(value)) return `a text of ${value.length} characters`;
  return JSON.stringify(value.replace(unreadable, ' '));
};

/** Formats an address for messages: shown only if it consists of a host and a port. */
export const quotedAddress = (value: unknown): string =>
  typeof value === 'string' && /^[\w-]*(?:[.:][\w-]+)+$/.test(value) ? quoted(value) : kindOf(value);

/** Describes the type of a value, without the content of a string. */
export const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string'
    ? `a text of ${value.length} characters`
    : // oxlint-disable-next-line typescript/no-base-to-string
      String(value);
};

/** Formats a key for messages. */
export const shownKey = (key: string): string =>
  secretive.test(key) ? `(a key of ${key.length} characters)` : cut(key.replace(unreadable, ' '), 40);

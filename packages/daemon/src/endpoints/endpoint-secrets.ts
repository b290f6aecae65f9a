import { HubError } from '@hubwatch/client';
import type { EndpointConfig } from '../config/schema.js';

/** Shorter path segments are words such as `v1`, which occur in ordinary texts. */
const shortest = 6;

/** Secret texts of an endpoint. Server and proxy errors that repeat parts of a request can contain them. */
export const endpointSecrets = (
  { rest, rpc }: Pick<EndpointConfig, 'rest' | 'rpc'>,
  headers: Readonly<Record<string, string>>,
): readonly string[] => {
  const parts = [rest, rpc].flatMap((address) => (address === undefined ? [] : new URL(address).pathname.split('/')));
  const values = Object.values(headers).flatMap((value) => [value, value.replace(/^\w+ /, '')]);
  const decoded = parts.map((part) => decodedPart(part));
  return [...new Set([...values, ...parts, ...decoded])]
    .filter((text) => text.length >= shortest)
    .toSorted((a, b) => b.length - a.length);
};

const decodedPart = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text has a percent sign that is not part of an escape.
    return text;
  }
};

/** Wraps a call so that its errors do not contain the secrets of its endpoint. */
export const guarded = <A extends readonly unknown[], R>(
  call: (...args: A) => Promise<R>,
  secrets: readonly string[],
): ((...args: A) => Promise<R>) =>
  secrets.length === 0
    ? call
    : (...args) =>
        call(...args).catch((error: unknown) => {
          throw withoutSecrets(error, secrets);
        });

const withoutSecrets = (error: unknown, secrets: readonly string[]): unknown => {
  if (!(error instanceof HubError)) return error;
  const hide = (text: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
  const { code, message, transport, address, method, raw, height, lowestHeight, latestHeight } = error;
  const text = raw.text === undefined ? {} : { text: hide(raw.text) };
  if (hide(message) === message && text.text === raw.text) return error;
  // The original error is not attached as cause because its text contains the secret too.
  return new HubError({
    ...{ code, message: hide(message), method, raw: { ...raw, ...text }, height, lowestHeight, latestHeight },
    ...(transport && { transport }),
    ...(address !== undefined && { address }),
  });
};

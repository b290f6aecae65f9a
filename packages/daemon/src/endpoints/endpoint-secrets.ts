import { HubError } from '@hubwatch/client';
import type { EndpointConfig } from '../config/schema.js';

/** Shorter parts of a path are words such as `v1`, which texts have anyway. */
const shortest = 6;

/** Texts of an endpoint that nobody else may read: what a server or a proxy repeats of a request can hold them. */
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
    // A lone percent sign.
    return text;
  }
};

/** A call whose errors do not repeat the secrets of its endpoint. */
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
  // Its cause has the text too.
  return new HubError({
    ...{ code, message: hide(message), method, raw: { ...raw, ...text }, height, lowestHeight, latestHeight },
    ...(transport && { transport }),
    ...(address !== undefined && { address }),
  });
};

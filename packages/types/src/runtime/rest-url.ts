import { CodecError } from './codec-error.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';

type UrlValue = string | number | bigint | boolean;

/** Values for the URL of a route, by original names. */
export interface UrlParams {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
}

/**
 * Path and query of a route, to append to the address of a gateway.
 *
 * @param route verb and path template, `GET /hub/node/v3/nodes/{address}`
 * @throws CodecError when a value of the path is missing, empty or contains a slash that the path cannot contain
 * @source proto/spec/node.yaml, rest.requests and rest.denom_with_slash
 */
export function restUrl(route: string, { path = {}, query = {} }: UrlParams, naming: Naming = identityNaming): string {
  const template = naming.routeToWire(route.slice(route.indexOf(' ') + 1));
  const values = path as Readonly<Record<string, UrlValue | undefined>>;
  const filled = template.replace(/\{([^}=]+)(?:=([^}]*))?\}/g, (_, name: string, pattern: string | undefined) => {
    const text = String((Object.hasOwn(values, name) ? values[name] : undefined) ?? '');
    // The gateway would remove an empty segment from the path, which selects another route.
    if (text === '') throw new CodecError(`${name} stands in the path of ${route} and must not be empty`);
    if (pattern !== undefined) {
      if (!fits(text, pattern)) throw new CodecError(`${name} is ${JSON.stringify(text)}: its route takes ${pattern}`);
      return text.split('/').map(encodeURIComponent).join('/');
    }
    if (text.includes('/')) {
      throw new CodecError(
        `${name} is ${JSON.stringify(text)}: no path of the gateway can hold a slash in one value; ask over gRPC or abci_query, or read the list`,
      );
    }
    return encodeURIComponent(text);
  });
  const pairs = Object.entries(query as Readonly<Record<string, UrlValue | readonly UrlValue[] | undefined>>).flatMap(
    ([name, value]) =>
      value === undefined
        ? []
        : [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`),
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** Whether a value matches a pattern: `*` is one segment, `**` is the rest of the path. */
function fits(text: string, pattern: string): boolean {
  const parts = pattern.split('/').map((part) => {
    if (part === '**') return '.+';
    return part === '*' ? '[^/]+' : part.replace(/[^\w]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`).test(text);
}

import { HubError } from '../error.js';
import { shownAddress } from '../shown-address.js';

/**
 * Base URL without a trailing slash. The node answers `//status` with a redirect and counts a trailing slash as an
 * empty segment.
 *
 * @throws HubError `invalid_argument` when the text is not an http or https URL, or has a user, a password, a query or
 * a fragment
 */
export function baseUrl(address: string, transport: 'rest' | 'abci' | 'rpc' | 'websocket'): string {
  const allowed = transport === 'websocket' ? ['ws:', 'wss:', 'http:', 'https:'] : ['http:', 'https:'];
  const example = `${allowed[0]}//127.0.0.1:${transport === 'rest' ? 1317 : 26657}`;
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    // Reported below, together with a URL of another scheme.
  }
  const fault = (what: string): HubError =>
    new HubError({
      code: 'invalid_argument',
      message: `${transport} address ${shownAddress(address)}: ${what}`,
      transport,
      address,
    });
  if (url === undefined || !allowed.includes(url.protocol)) {
    const schemes = allowed.map((scheme) => scheme.slice(0, -1)).join(', ');
    throw fault(`a URL such as ${example} is expected; schemes are ${schemes}`);
  }
  // Both would be dropped or refused in transit.
  if (url.username !== '' || url.password !== '')
    throw fault('a URL with a user or password is not allowed; give them as headers');
  if (url.search !== '' || url.hash !== '')
    throw fault('a URL with a query or fragment is not allowed; give keys as headers');
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

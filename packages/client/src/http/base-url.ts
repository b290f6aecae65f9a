import { HubError } from '../error.js';

/**
 * Base URL without a closing slash: the node answers `//status` with a redirect and counts a closing slash as an empty
 * segment.
 *
 * @throws HubError `invalid_argument` when the text is no http or https URL
 */
export function baseUrl(address: string, transport: 'rest' | 'abci' | 'rpc' | 'websocket'): string {
  const allowed = transport === 'websocket' ? ['ws:', 'wss:', 'http:', 'https:'] : ['http:', 'https:'];
  const example = `${allowed[0]}//127.0.0.1:${transport === 'rest' ? 1317 : 26657}`;
  let url: URL | undefined;
  try {
    url = new URL(address);
  } catch {
    // Told below, together with a URL of another scheme.
  }
  if (url === undefined || !allowed.includes(url.protocol)) {
    throw new HubError({
      code: 'invalid_argument',
      message: `${transport} address ${JSON.stringify(address)}: a URL such as ${example} is expected; schemes are ${allowed.map((scheme) => scheme.slice(0, -1)).join(', ')}`,
      transport,
      address,
    });
  }
  return `${url.protocol}//${url.username === '' ? '' : `${url.username}:${url.password}@`}${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

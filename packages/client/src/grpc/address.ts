import { HubError } from '../error.js';
import { shownAddress } from '../shown-address.js';

/**
 * Target of a channel, and whether it is TLS.
 *
 * @throws HubError `invalid_argument` when the text is no address
 */
export function readAddress(address: string): { target: string; secure: boolean } {
  const parts = /^(?:(https?|grpcs?):\/\/)?(\[[0-9a-f:]+\]|[^\s:/[\]]+):(\d{1,5})\/?$/i.exec(address);
  const port = Number(parts?.[3]);
  if (parts === null || port < 1 || port > 65535) {
    throw new HubError({
      code: 'invalid_argument',
      message: `grpc address ${shownAddress(address)}: host:port or https://host:port is expected`,
      transport: 'grpc',
      address,
    });
  }
  const scheme = parts[1]?.toLowerCase();
  return { target: `${parts[2]}:${port}`, secure: scheme === 'https' || scheme === 'grpcs' };
}

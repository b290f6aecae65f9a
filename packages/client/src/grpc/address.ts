import { HubError } from '../error.js';
import { shownAddress } from '../shown-address.js';

/** Address of a gRPC server, and whether it uses TLS. */
export interface GrpcAddress {
  /** Name or IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** URL of the server, without a path. */
  readonly url: string;
}

/** @throws HubError `invalid_argument` when the text is not an address */
export function readGrpcAddress(address: string): GrpcAddress {
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
  const secure = scheme === 'https' || scheme === 'grpcs';
  const name = parts[2] as string;
  return { host: name.replace(/^\[|\]$/g, ''), port, secure, url: `${secure ? 'https' : 'http'}://${name}:${port}` };
}

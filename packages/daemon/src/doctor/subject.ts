/** Transports of an endpoint that are checked, in display order. */
export const wayNames = ['grpc', 'rest', 'rpc'] as const;
export type WayName = (typeof wayNames)[number];

/** Display names of the transports. */
export const wayTitles: Readonly<Record<WayName, string>> = { grpc: 'gRPC', rest: 'REST', rpc: 'RPC' };

/** The endpoint to diagnose. */
export interface Subject {
  /** Name in the configuration, or the given host. */
  readonly name: string;
  /** `configured`: from a configuration; `given`: by its addresses; `usual`: by a host, at the usual ports. */
  readonly how: 'configured' | 'given' | 'usual';
  readonly addresses: Readonly<Partial<Record<WayName, string>>>;
  /** Credentials, sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly naming: 'auto' | 'public' | 'neutral';
  /** Expected chain id, if given. */
  readonly chainId?: string | undefined;
  /** Distances from the latest block at which state must be available. */
  readonly depths: readonly bigint[];
}

/** Default ports of a node. @source proto/spec/node.yaml, addresses */
const usualPorts = { grpc: 9090, rest: 1317, rpc: 26657 } as const;

/** Addresses of a host at the usual ports. */
export const usualAddresses = (host: string): Readonly<Record<WayName, string>> => {
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    grpc: `${name}:${usualPorts.grpc}`,
    rest: `http://${name}:${usualPorts.rest}`,
    rpc: `http://${name}:${usualPorts.rpc}`,
  };
};

/** Host, port and scheme of an address as written: `host:port`, or a URL. */
export const shownPlace = (
  address: string,
): { readonly host: string; readonly port: number; readonly isTls: boolean; readonly path: string } => {
  const { protocol, hostname, port, pathname } = new URL(/^\w+:\/\//.test(address) ? address : `http://${address}`);
  const isTls = protocol === 'https:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    isTls,
    path: pathname.replace(/\/+$/, ''),
  };
};

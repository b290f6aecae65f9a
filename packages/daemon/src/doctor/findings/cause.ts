import type { Diagnosis, Way } from '../diagnosis.js';
import { shownPlace, type WayName, wayTitles } from '../subject.js';

/** A transport whose first query failed. */
export interface Failed {
  readonly name: WayName;
  readonly title: string;
  readonly address: string;
  readonly host: string;
  readonly isTls: boolean;
  readonly failure: NonNullable<Way['failure']>;
  readonly wire: NonNullable<Way['wire']>;
}

/** Transports whose first query failed, in their usual order. */
export const failedWays = ({ ways }: Diagnosis): readonly Failed[] =>
  [...ways].flatMap(([name, { failure, wire, address }]) => {
    if (failure === undefined || wire === undefined) return [];
    const { isTls, host } = shownPlace(address);
    return [{ name, title: wayTitles[name], address, host, isTls, failure, wire }];
  });

/** Why the first query over a transport failed; exactly one applies. */
export type Cause =
  | 'name'
  | 'refused'
  | 'unreachable'
  | 'silent'
  | 'speaks_tls'
  | 'speaks_no_tls'
  | 'rate_limited'
  | 'wrong_port'
  | 'redirected'
  | 'untrusted'
  | 'no_http2'
  | 'starting'
  | 'other_network'
  | 'proxy'
  | 'hangs'
  | 'other';

/** Determines the cause from the lowest layer upwards: a failure of a lower layer explains those above it. */
export const causeOf = (failed: Failed): Cause => {
  const { wire, failure, isTls, name } = failed;
  const tcp = wire.reached.map((one) => one.tcp);
  if (tcp.length === 0) return 'name';
  if (!tcp.includes('open')) {
    if (tcp.includes('refused')) return 'refused';
    return tcp.every((one) => one === 'unreachable') ? 'unreachable' : 'silent';
  }
  if (!isTls && wire.tls !== undefined) return 'speaks_tls';
  if (isTls && wire.tls === undefined && wire.page !== undefined) return 'speaks_no_tls';
  if (failure.code === 'rate_limited') return 'rate_limited';
  if (strangerAt(failed) !== undefined) return 'wrong_port';
  if (isRedirect(failure.httpStatus) || isRedirect(wire.page?.status)) return 'redirected';
  if (isTls && wire.tls?.distrust !== undefined) return 'untrusted';
  if (name === 'grpc' && isTls && wire.tls !== undefined && wire.tls.protocol !== 'h2') return 'no_http2';
  if (failure.code === 'starting') return 'starting';
  if (failure.code === 'unimplemented') return 'other_network';
  if (failure.httpStatus !== undefined || wire.page?.kind === 'html') return 'proxy';
  return failure.code === 'timeout' ? 'hangs' : 'other';
};

const owners = { engine: 'rpc', gateway: 'rest', http2: 'grpc' } as const;

/** A different interface of a node that answers at the address, if any. */
export const strangerAt = ({ name, wire }: Failed): WayName | undefined => {
  const kind = wire.page?.kind;
  const owner = kind === 'engine' || kind === 'gateway' || kind === 'http2' ? owners[kind] : undefined;
  return owner === name ? undefined : owner;
};

const isRedirect = (status: number | undefined): boolean => status !== undefined && status >= 300 && status < 400;

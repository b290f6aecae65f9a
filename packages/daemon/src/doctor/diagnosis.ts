import type { ErrorCode } from '@hubwatch/client';
import type { Datum } from '../checks/datum.js';
import type { StateBracket, StateProbe } from '../endpoints/state-search.js';
import type { TlsLook } from '../endpoints/surface.js';
import type { Subject, WayName } from './subject.js';

/** Result of a TCP connection to one address of a name. */
export interface ReachedAddress {
  readonly ip: string;
  readonly tcp: 'open' | 'refused' | 'silent' | 'unreachable';
}

/** Response to an HTTP/1 request for `/`. */
export interface RootPage {
  readonly status: number;
  /** Kind of server: the engine's page, the gateway's body, an HTTP/2 server, or another. */
  readonly kind: 'engine' | 'gateway' | 'http2' | 'html' | 'other';
  /** Redirect target. */
  readonly location: string | undefined;
}

/** An address below its protocol, checked if the first query failed. */
export interface Wire {
  /** Empty: the name does not resolve. */
  readonly reached: readonly ReachedAddress[];
  /** `undefined`: the server does not speak TLS. */
  readonly tls: TlsLook | undefined;
  readonly page: RootPage | undefined;
}

export interface WayFailure {
  readonly code: ErrorCode | 'unknown';
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** Error text; may come from an untrusted server. */
  readonly text: string;
}

/** One address, and the result of the first query to it. */
export interface Way {
  readonly address: string;
  /** `undefined`: it responded. */
  readonly failure: WayFailure | undefined;
  /** Height of the state in the response; for the consensus RPC the height of the application. */
  readonly stateHeight: bigint | undefined;
  readonly ms: number;
  readonly wire: Wire | undefined;
  /** Certificate of an address over TLS. */
  readonly tls: TlsLook | undefined;
}

/** Facts reported by the consensus RPC; `undefined` if not reported. */
export interface EngineFacts {
  readonly chainId: string;
  readonly moniker: string;
  readonly version: string;
  readonly height: bigint;
  readonly timeMs: number | undefined;
  readonly catchingUp: boolean;
  /** Oldest stored block. */
  readonly firstBlock: bigint | undefined;
  readonly stateHeight: bigint | undefined;
  readonly peers: { readonly inbound: number; readonly outbound: number } | undefined;
  /** Whether its consensus responds; queried only if the latest block is old. */
  readonly consensus: 'answers' | 'hangs' | undefined;
  readonly exposesUnsafe: boolean | undefined;
  readonly websocket: boolean | undefined;
  /** How far its clock is ahead of ours, seconds. */
  readonly skewSeconds: number | undefined;
  readonly index: IndexFacts;
  /** Whether block results are stored; without them no ledger can be read. */
  readonly keepsResults: boolean | undefined;
}

/** The index of transactions and events. */
export interface IndexFacts {
  readonly state: 'on' | 'off' | 'not_searchable' | undefined;
  /**
   * Upper bound on the number of latest blocks missing from the index. `none_found`: the last thousand are missing;
   * `undefined`: unknown.
   */
  readonly lag: bigint | 'none_found' | undefined;
  /** Whether it reaches back to the oldest block. */
  readonly reachesFirst: boolean | undefined;
}

/** Facts reported by the application over the transports that respond. */
export interface ApplicationFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly stackVersion: string | undefined;
  /** Chain of the node behind gRPC or REST, which may differ from that of the consensus RPC. */
  readonly chainId: string | undefined;
  /** Latest block reported by the application, if no consensus RPC reports one. */
  readonly newest: { readonly height: bigint; readonly timeMs: number; readonly chainId: string } | undefined;
  /** Planned upgrade; `none` if there is none, `undefined` if it could not be read. */
  readonly plan: { readonly name: string; readonly height: bigint } | 'none' | undefined;
  /** Neutral names of the services that reflection lists. */
  readonly services: Datum<readonly string[]> | undefined;
  /** Methods that the interface serves over the transport and the endpoint does not. */
  readonly refused: readonly { readonly way: WayName; readonly method: string }[];
  /** Number of methods queried, by transport. */
  readonly asked: ReadonlyMap<WayName, number>;
}

/** How far back state is available over one transport. */
export interface StateFacts {
  readonly way: WayName;
  readonly newest: bigint;
  readonly bracket: StateBracket;
  /** Why the bound is not exact. */
  readonly stopped: 'unclear' | 'budget' | undefined;
  readonly depths: ReadonlyMap<bigint, StateProbe>;
}

/** All facts about an endpoint; findings and reports use only these. */
export interface Diagnosis {
  readonly subject: Subject;
  /** Our clock at the start, milliseconds. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly requests: number;
  readonly timeoutMs: number;
  /** Detected naming; `undefined`: no known one. */
  readonly naming: string | undefined;
  readonly ways: ReadonlyMap<WayName, Way>;
  readonly engine: EngineFacts | undefined;
  readonly application: ApplicationFacts;
  readonly states: readonly StateFacts[];
}

/** The latest block from any source. */
export const newestOf = ({
  engine,
  application,
}: Diagnosis): { readonly height: bigint; readonly timeMs: number | undefined; readonly chainId: string } | undefined =>
  engine ?? application.newest;

/** Latest state heights reported by each transport and by the application. */
export const stateHeights = ({ ways, engine }: Diagnosis): readonly bigint[] => [
  ...[...ways.values()].flatMap(({ stateHeight }) => stateHeight ?? []),
  ...(engine?.stateHeight === undefined ? [] : [engine.stateHeight]),
];

export const lowestOf = (heights: readonly bigint[]): bigint | undefined =>
  heights.length === 0 ? undefined : heights.reduce((low, height) => (height < low ? height : low));

/** Clock offset that polls tolerate but that makes ages wrong, seconds. */
export const usualSkew = 5;

/**
 * Age of a block by the local clock or by the node's clock, whichever is smaller in size. If the two differ, the clock
 * is wrong and the age proves nothing about the block.
 */
export const ageOf = ({ engine, atMs }: Pick<Diagnosis, 'engine' | 'atMs'>, timeMs: number): number => {
  const here = atMs - timeMs;
  const skew = engine?.skewSeconds ?? 0;
  const there = Math.abs(skew) > usualSkew ? here + skew * 1_000 : here;
  return Math.abs(there) < Math.abs(here) ? there : here;
};

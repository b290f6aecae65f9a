import type { ErrorCode } from '@hubwatch/client';
import type { Datum } from '../checks/datum.js';
import type { StateBracket, StateProbe } from '../endpoints/state-search.js';
import type { TlsLook } from '../endpoints/surface.js';
import type { Subject, WayName } from './subject.js';

/** What became of a TCP connection to one address of a name. */
export interface ReachedAddress {
  readonly ip: string;
  readonly tcp: 'open' | 'refused' | 'silent' | 'unreachable';
}

/** What an HTTP/1 request for `/` brought. */
export interface RootPage {
  readonly status: number;
  /** Who answers so: the page of the engine, the body of the gateway, a server of HTTP/2, or somebody else. */
  readonly kind: 'engine' | 'gateway' | 'http2' | 'html' | 'other';
  /** Where it redirects to. */
  readonly location: string | undefined;
}

/** An address below its protocol, looked at where the first question failed. */
export interface Wire {
  /** Empty: the name resolves to nothing. */
  readonly reached: readonly ReachedAddress[];
  /** `undefined`: it speaks no TLS. */
  readonly tls: TlsLook | undefined;
  readonly page: RootPage | undefined;
}

export interface WayFailure {
  readonly code: ErrorCode | 'unknown';
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;
  /** What the failure says; text of a stranger. */
  readonly text: string;
}

/** One address, and what the first question over it brought. */
export interface Way {
  readonly address: string;
  /** `undefined`: it answered. */
  readonly failure: WayFailure | undefined;
  /** Height of the state that it answered from; of the consensus RPC that of the application. */
  readonly stateHeight: bigint | undefined;
  readonly ms: number;
  readonly wire: Wire | undefined;
  /** Certificate of an address over TLS. */
  readonly tls: TlsLook | undefined;
}

/** What the consensus RPC says; `undefined` is what it does not say. */
export interface EngineFacts {
  readonly chainId: string;
  readonly moniker: string;
  readonly version: string;
  readonly height: bigint;
  readonly timeMs: number | undefined;
  readonly catchingUp: boolean;
  /** Oldest block that is kept. */
  readonly firstBlock: bigint | undefined;
  readonly stateHeight: bigint | undefined;
  readonly peers: { readonly inbound: number; readonly outbound: number } | undefined;
  /** Whether its consensus answers; asked only where the newest block is old. */
  readonly consensus: 'answers' | 'hangs' | undefined;
  readonly exposesUnsafe: boolean | undefined;
  readonly websocket: boolean | undefined;
  /** How far its clock is ahead of ours, seconds. */
  readonly skewSeconds: number | undefined;
  readonly index: IndexFacts;
  /** Whether results of blocks are kept, without which no ledger can be read. */
  readonly keepsResults: boolean | undefined;
}

/** The index of transactions and events. */
export interface IndexFacts {
  readonly state: 'on' | 'off' | 'not_searchable' | undefined;
  /** Newest blocks that it lacks, at most; `none_found`: it lacks the last thousand; `undefined`: it did not say. */
  readonly lag: bigint | 'none_found' | undefined;
  /** Whether it reaches back to the oldest block. */
  readonly reachesFirst: boolean | undefined;
}

/** What the application says over the ways that answer. */
export interface ApplicationFacts {
  readonly name: string | undefined;
  readonly version: string | undefined;
  readonly stackVersion: string | undefined;
  /** Chain of the node behind gRPC or REST, which need not be that of the consensus RPC. */
  readonly chainId: string | undefined;
  /** Newest block as the application shows it, where no consensus RPC does. */
  readonly newest: { readonly height: bigint; readonly timeMs: number; readonly chainId: string } | undefined;
  /** Planned upgrade; `none` when there is none, `undefined` when it could not be read. */
  readonly plan: { readonly name: string; readonly height: bigint } | 'none' | undefined;
  /** Neutral names of the services that reflection lists. */
  readonly services: Datum<readonly string[]> | undefined;
  /** Methods that the interface serves on that way and that the endpoint does not. */
  readonly refused: readonly { readonly way: WayName; readonly method: string }[];
  /** How many methods were asked by way. */
  readonly asked: ReadonlyMap<WayName, number>;
}

/** How far back one way answers about state. */
export interface StateFacts {
  readonly way: WayName;
  readonly newest: bigint;
  readonly bracket: StateBracket;
  /** Why the bound was not found to the block. */
  readonly stopped: 'unclear' | 'budget' | undefined;
  readonly depths: ReadonlyMap<bigint, StateProbe>;
}

/** Everything that was found out about an endpoint; findings and reports are made of it alone. */
export interface Diagnosis {
  readonly subject: Subject;
  /** Our clock at the start, milliseconds. */
  readonly atMs: number;
  readonly tookMs: number;
  readonly requests: number;
  readonly timeoutMs: number;
  /** Names that it speaks; `undefined`: none that is known. */
  readonly naming: string | undefined;
  readonly ways: ReadonlyMap<WayName, Way>;
  readonly engine: EngineFacts | undefined;
  readonly application: ApplicationFacts;
  readonly states: readonly StateFacts[];
}

/** The newest block, however it was told. */
export const newestOf = ({
  engine,
  application,
}: Diagnosis): { readonly height: bigint; readonly timeMs: number | undefined; readonly chainId: string } | undefined =>
  engine ?? application.newest;

/** Newest state by every way that told one, and of the application. */
export const stateHeights = ({ ways, engine }: Diagnosis): readonly bigint[] => [
  ...[...ways.values()].flatMap(({ stateHeight }) => stateHeight ?? []),
  ...(engine?.stateHeight === undefined ? [] : [engine.stateHeight]),
];

export const lowestOf = (heights: readonly bigint[]): bigint | undefined =>
  heights.length === 0 ? undefined : heights.reduce((low, height) => (height < low ? height : low));

/** An offset that no poll notices and that makes ages wrong, seconds. */
export const usualSkew = 5;

/**
 * Age of a block by the clock here or by that of the node, whichever is smaller in size: where the two disagree the clock is
 * what is wrong, and says nothing of the block.
 */
export const ageOf = ({ engine, atMs }: Pick<Diagnosis, 'engine' | 'atMs'>, timeMs: number): number => {
  const here = atMs - timeMs;
  const skew = engine?.skewSeconds ?? 0;
  const there = Math.abs(skew) > usualSkew ? here + skew * 1_000 : here;
  return Math.abs(there) < Math.abs(here) ? there : here;
};

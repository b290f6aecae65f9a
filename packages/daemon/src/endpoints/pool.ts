import { type Clock, HubError } from '@hubwatch/client';
import { speedOf } from '../clock.js';
import type { OwnMetrics } from '../own-metrics.js';
import type { Endpoint, QueryTransport } from './endpoint.js';
import type { FailureReason } from './failure.js';
import { createChainChoice } from './chain-choice.js';
import { agreedHead, freshestHead, type BlockHead, type ReportedHead, tipBlocks, type ToldHead } from './head.js';
import { type Movement, moved } from './movement.js';
import { type SeenSource, type Source, type SourceMember, Sources } from './sources.js';
import { createTip } from './tip.js';
import { advancesAsTime, isBehind, isFetching, type Standing } from './standing.js';

/** The freshest block, and what was seen since of newer ones. */
export interface NewestBlock extends BlockHead {
  /** Times that one endpoint was asked since without reporting a newer one: the most of any endpoint. */
  readonly sameFor: number;
  /** Awake time since an endpoint was seen to step to a newer block than any before, else since the first was seen. */
  readonly stillMs: number;
  /** Whether such a step was seen since the daemon started. Without it nobody knows yet whether the chain moves. */
  readonly hasMoved: boolean;
}

/** Newest block as an endpoint told of it by itself. */
export type PushedHead = Pick<ToldHead, 'height' | 'timeMs' | 'chainId'>;

/** Whether new blocks are heard of over the websocket of an endpoint, or why not. */
export type Listening =
  | { readonly isOn: true }
  | {
      readonly isOn: false;
      readonly reason: FailureReason;
      readonly text: string;
      /** Attempts in a row that failed while the endpoint answered otherwise: a connection that ended is none. */
      readonly failures: number;
    };

/** Whom we ask, and whom we believe. */
export interface TrustedPool {
  readonly endpoints: readonly Endpoint[];
  /** Chain that is believed in; `undefined` until it is configured or can be told. */
  chainId(): string | undefined;
  /**
   * Takes what an endpoint says its head is, `undefined` when it did not answer, and which transports were down; without
   * them it stands as it was.
   */
  report(
    endpoint: string,
    head: ToldHead | undefined,
    down?: ReadonlySet<QueryTransport>,
    /** Height of the state that transports answered from. */
    states?: ReadonlyMap<QueryTransport, bigint>,
  ): void;
  /**
   * Takes a newer block that an endpoint told of by itself. Its pace is judged by answers alone: what is pushed may come late
   * and in heaps.
   */
  push(endpoint: string, head: PushedHead): void;
  /** Takes how it stands with the websocket of an endpoint. */
  setListening(endpoint: string, listening: Listening): void;
  /** `undefined`: it has no websocket, none is wanted, or it was not tried yet. */
  listening(endpoint: string): Listening | undefined;
  /** Newest block that the endpoint tells now, whatever its chain. */
  told(endpoint: string): ToldHead | undefined;
  states(endpoint: string): ReadonlyMap<QueryTransport, bigint>;
  /** Takes which endpoints were seen on a fork: their data are not used until they are not in the list any more. */
  setForked(endpoints: ReadonlySet<string>): void;
  standing(endpoint: string): Standing;
  movement(endpoint: string): Movement | undefined;
  /** Awake time, in which movements are given. */
  awakeMs(): number;
  /** Whether an endpoint's head was read before this process last stood still: it must be read again before it counts. */
  isObsolete(endpoint: string): boolean;
  /** Endpoints whose data are used, best first. */
  usable(): readonly Endpoint[];
  /**
   * Head that the endpoints agree on: the chain's present. It does not go back by the few blocks that endpoints differ in;
   * a head further back is another chain's, and is taken.
   */
  head(): BlockHead | undefined;
  /** Newest block that any endpoint tells of. */
  newest(): NewestBlock | undefined;
  /** Resolves when an endpoint of the right chain has told its head for the first time. */
  readonly firstHead: Promise<void>;
  /**
   * Reads state of `subject` from the best endpoint, and from the next ones after failures. Uses `EndpointPool.read` of the
   * client with this pool's order. Rejects a response with a lower height than one accepted before for the same subject, unless
   * the chain was rolled back (`Patience`).
   *
   * @throws HubError the first retryable failure if every source failed
   */
  read<T extends { readonly height: bigint | undefined }>(
    subject: string,
    signal: AbortSignal,
    work: (source: Source) => Promise<T>,
  ): Promise<T>;
}

export interface TrustedPoolOptions {
  /** Configured chain id. */
  readonly chainId?: string | undefined;
  /** Told once which chain was chosen, where none is given. */
  readonly onChosen?: ((chainId: string) => void) | undefined;
  /** Awake time; by default monotonic time at the pace of the clock. */
  readonly awakeMs?: (() => number) | undefined;
  /** End of the last long stall of this process, monotonic time; heads from before it are obsolete. */
  readonly lastStallMs?: (() => number | undefined) | undefined;
  /** Told once when the chain went back: by a rollback, or a restart from a snapshot. */
  readonly onWentBack?: ((text: string) => void) | undefined;
}

const maxSources = 4;
/** How long an answer may be on its way, milliseconds. */
const onItsWayMs = 10_000;
/** Fresh looks in a row until an endpoint that was fetching old blocks is used. */
const freshLooks = 3;
/** Blocks that an endpoint may be behind and still count as being at the very tip. */
const closeBlocks = 3n;
const roleOrder = { own: 0, reference: 1, archive: 2 } as const;
/** Blocks between two looks that are counted; more are a time in which nobody looked. */
const mostCounted = 100;
export const createPool = (
  endpoints: readonly Endpoint[],
  own: OwnMetrics,
  clock: Clock,
  {
    chainId,
    onChosen,
    onWentBack,
    awakeMs = () => clock.monotonicMs() * speedOf(clock),
    lastStallMs = () => undefined,
  }: TrustedPoolOptions = {},
): TrustedPool => {
  const chain = createChainChoice(endpoints, chainId);
  const told = new Map<string, ToldHead>();
  /** Monotonic time at which each endpoint's head was read or pushed. */
  const toldAtMs = new Map<string, number>();
  const pushed = new Map<string, { readonly head: PushedHead; readonly atMs: number }>();
  const movements = new Map<string, Movement>();
  const listenings = new Map<string, Listening>();
  let counted: BlockHead | undefined;
  /** Looks that an endpoint still has to pass as fresh. */
  const onProbation = new Map<string, number>();
  let forked: ReadonlySet<string> = new Set();
  let foundHead: () => void = () => undefined;
  const firstHead = new Promise<void>((resolve) => {
    foundHead = resolve;
  });
  const transportsDown = new Map<string, ReadonlySet<QueryTransport>>();
  const states = new Map<string, ReadonlyMap<QueryTransport, bigint>>();
  let newest: BlockHead | undefined;
  let freshestMs: number | undefined;
  const sameFor = new Map<string, number>();
  const tip = createTip();

  const isRight = (endpoint: string): boolean => chain.toldBy(endpoint) === chain.chosen() && !forked.has(endpoint);
  const isObsolete = (endpoint: string): boolean => {
    const stallMs = lastStallMs();
    return stallMs !== undefined && (toldAtMs.get(endpoint) ?? stallMs) < stallMs;
  };
  const heads = (): ReportedHead[] =>
    [...told]
      .filter(([name]) => !isObsolete(name))
      .map(([name, head]) => ({
        ...head,
        rightChain: isRight(name),
        advances: advancesAsTime(movements.get(name), awakeMs()),
      }));

  /** Reports so far: the head changes with them and with the clock alone. */
  let reports = 0;
  let lastHead: { readonly reports: number; readonly nowMs: number; readonly head: BlockHead | undefined } | undefined;
  const head = (): BlockHead | undefined => {
    const nowMs = clock.nowMs();
    if (lastHead?.reports === reports && lastHead.nowMs === nowMs) return lastHead.head;
    const agreed = agreedHead(heads(), nowMs);
    const isLag =
      newest !== undefined &&
      agreed !== undefined &&
      agreed.height < newest.height &&
      agreed.height + tipBlocks >= newest.height;
    if (agreed !== undefined && !isLag) newest = agreed;
    lastHead = { reports, nowMs, head: agreed && newest };
    return lastHead.head;
  };

  const standing = (name: string): Standing => {
    const id = chain.toldBy(name);
    if (id !== undefined && chain.chosen() !== undefined && id !== chain.chosen()) return 'wrong_chain';
    if (forked.has(name)) return 'forked';
    const known = told.get(name);
    if (known === undefined || chain.chosen() === undefined) return 'unknown';
    if (onProbation.has(name)) return 'syncing';
    return isBehind(known, head()) ? 'behind' : 'live';
  };

  const usable = (): readonly Endpoint[] => {
    if (chain.chosen() === undefined) return [];
    const tip = head()?.height ?? 0n;
    const lag = ({ name }: Endpoint): number => ((told.get(name)?.height ?? 0n) + closeBlocks >= tip ? 0 : 1);
    const slow = sources.slowness();
    const sorted = endpoints.toSorted(
      (a, b) => lag(a) - lag(b) || roleOrder[a.role] - roleOrder[b.role] || slow(a.name) - slow(b.name),
    );
    const isKnown = endpoints.some(({ name }) => chain.toldBy(name) !== undefined);
    const rank = ({ name }: Endpoint): number => {
      const now = standing(name);
      if (now === 'live') return 0;
      // One that does not tell its head now may still answer; one that never told its chain may serve any.
      return now === 'unknown' && (!isKnown || isRight(name)) ? 1 : 2;
    };
    return sorted.filter((one) => rank(one) < 2).toSorted((a, b) => rank(a) - rank(b));
  };

  const candidates = (seen: readonly SeenSource[]): readonly SourceMember[] => {
    const tip = head()?.height ?? 0n;
    const isOld = ({ endpoint, transport }: SourceMember['client']): boolean =>
      (states.get(endpoint.name)?.get(transport) ?? tip) + tipBlocks < tip;
    const all = usable()
      .flatMap((endpoint) => seen.filter(({ member }) => member.client.endpoint === endpoint))
      .filter(({ member }) => !isOld(member.client))
      .toSorted((a, b) => Number(a.isResting) - Number(b.isResting))
      .map(({ member }) => member);
    const answering = all.filter(
      ({ client }) => transportsDown.get(client.endpoint.name)?.has(client.transport) !== true,
    );
    // When everything was down one try is enough to see whether it still is.
    return answering.length > 0 ? answering.slice(0, maxSources) : all.slice(0, 1);
  };
  const sources = new Sources(endpoints, own, clock, {
    order: candidates,
    heights: () => heads().flatMap((one) => (one.rightChain ? one.height : [])),
    onWentBack: (text) => onWentBack?.(text),
  });

  /** Follows one endpoint's newest block; only the answer that ends a round counts as a look. */
  const follow = (endpoint: string, reported: ToldHead, endsRound: boolean): void => {
    const before = movements.get(endpoint);
    if (!endsRound && before?.head.height === reported.height) return;
    const movement = moved(before, reported, { awakeMs: awakeMs(), steadyMs: clock.monotonicMs() * speedOf(clock) });
    movements.set(endpoint, movement);
    if (isFetching(movement, reported.catchingUp, { clockMs: clock.nowMs(), awakeMs: awakeMs() }))
      onProbation.set(endpoint, freshLooks);
    else if (endsRound && onProbation.has(endpoint)) {
      const left = (onProbation.get(endpoint) ?? 0) - 1;
      if (left > 0) onProbation.set(endpoint, left);
      else onProbation.delete(endpoint);
    }
  };

  /** An answer may be older than what was pushed while it was on its way. */
  const withPushed = (endpoint: string, reported: ToldHead): ToldHead => {
    const last = pushed.get(endpoint);
    const isLate =
      last !== undefined &&
      last.head.chainId === reported.chainId &&
      last.head.height > reported.height &&
      clock.monotonicMs() - last.atMs < onItsWayMs;
    return isLate ? { ...reported, ...last.head } : reported;
  };
  /** Counts the time between blocks by those of the agreed head; where several came at once, their mean for each. */
  const countInterval = (): void => {
    const now = head();
    if (now === undefined || now.height === counted?.height) return;
    const [blocks, ms] =
      counted === undefined ? [0, 0] : [Number(now.height - counted.height), now.timeMs - counted.timeMs];
    counted = now;
    if (blocks < 1 || blocks > mostCounted || ms <= 0) return;
    for (let block = 0; block < blocks; block++) own.blockInterval.observe(ms / 1_000 / blocks);
  };
  /** Takes the present height of an endpoint whose blocks are those of the chain's present. */
  const noteTip = (endpoint: string): void => {
    const height = told.get(endpoint)?.height;
    if (height !== undefined && isRight(endpoint) && !onProbation.has(endpoint)) tip.take(endpoint, height, awakeMs());
  };
  /** Whether the freshest block is another one now; then nobody has looked for a newer one yet. */
  const noteFreshest = (): boolean => {
    const seenMs = freshestHead(heads(), clock.nowMs())?.timeMs;
    const isOther = seenMs !== freshestMs && seenMs !== undefined;
    if (isOther) sameFor.clear();
    freshestMs = seenMs ?? freshestMs;
    return isOther;
  };

  return {
    endpoints,
    chainId: () => chain.chosen(),
    head,
    firstHead,
    standing,
    movement: (endpoint) => movements.get(endpoint),
    awakeMs,
    isObsolete,
    usable,
    setForked(names) {
      reports += 1;
      forked = names;
    },
    newest() {
      const freshest = freshestHead(heads(), clock.nowMs());
      const { sinceMs, hasMoved } = tip.seen() ?? { sinceMs: awakeMs(), hasMoved: false };
      return (
        freshest && {
          ...freshest,
          sameFor: Math.max(0, ...sameFor.values()),
          stillMs: awakeMs() - sinceMs,
          hasMoved,
        }
      );
    },
    push(endpoint, head) {
      const known = told.get(endpoint);
      if (known === undefined || known.chainId !== head.chainId || known.height >= head.height) return;
      told.set(endpoint, { ...known, ...head });
      toldAtMs.set(endpoint, clock.monotonicMs());
      reports += 1;
      noteTip(endpoint);
      pushed.set(endpoint, { head, atMs: clock.monotonicMs() });
      noteFreshest();
      countInterval();
    },
    setListening: (endpoint, listening) => void listenings.set(endpoint, listening),
    listening: (endpoint) => listenings.get(endpoint),
    told: (endpoint) => told.get(endpoint),
    states: (endpoint) => states.get(endpoint) ?? new Map(),
    report(endpoint, reported, down, ofStates) {
      reports += 1;
      if (down !== undefined) transportsDown.set(endpoint, down);
      if (ofStates !== undefined) states.set(endpoint, ofStates);
      if (reported !== undefined || down !== undefined) {
        const before = chain.chosen();
        chain.heard(endpoint, reported?.chainId);
        const chosen = chain.chosen();
        if (before === undefined && chosen !== undefined) onChosen?.(chosen);
      }
      if (reported === undefined) {
        told.delete(endpoint);
        toldAtMs.delete(endpoint);
      } else {
        told.set(endpoint, withPushed(endpoint, reported));
        toldAtMs.set(endpoint, clock.monotonicMs());
        follow(endpoint, reported, down !== undefined);
        noteTip(endpoint);
      }
      if ([...told.keys()].some(isRight)) foundHead();
      countInterval();
      // Only the answer that ends a round counts: an endpoint may tell its head once before.
      if (!noteFreshest() && reported !== undefined && down !== undefined)
        sameFor.set(endpoint, (sameFor.get(endpoint) ?? 0) + 1);
    },
    async read<T extends { readonly height: bigint | undefined }>(
      subject: string,
      signal: AbortSignal,
      work: (source: Source) => Promise<T>,
    ) {
      if (sources.isAnyAsked()) return sources.read(subject, signal, work);
      throw new HubError({
        code: 'unavailable',
        message: noSource(
          chain.chosen(),
          endpoints.map(({ name }) => standing(name)),
        ),
      });
    },
  };
};

const noSource = (chainId: string | undefined, standings: readonly Standing[]): string => {
  if (chainId === undefined) return 'no endpoint has told its chain yet, and none is configured';
  const counts = [...new Set(standings)].map((one) => `${standings.filter((other) => other === one).length} ${one}`);
  return `no endpoint serves the present of ${chainId}: ${counts.join(', ').replace('_', ' ')}`;
};

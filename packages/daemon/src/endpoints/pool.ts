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

/** The freshest block, and the observations of newer ones since. */
export interface NewestBlock extends BlockHead {
  /** Number of queries to one endpoint since then that returned no newer block: the maximum over all endpoints. */
  readonly sameFor: number;
  /**
   * Awake time since an endpoint was observed to step to a block newer than any before, otherwise since the first
   * block.
   */
  readonly stillMs: number;
  /**
   * Whether such a step was observed since the daemon started. Without it, it is unknown whether the chain advances.
   */
  readonly hasMoved: boolean;
}

/** Latest block that an endpoint pushed over its websocket. */
export type PushedHead = Pick<ToldHead, 'height' | 'timeMs' | 'chainId'>;

/** Whether an endpoint delivers new blocks over its websocket, or why not. */
export type Listening =
  | { readonly isOn: true }
  | {
      readonly isOn: false;
      readonly reason: FailureReason;
      readonly text: string;
      /**
       * Consecutive failed attempts while the endpoint responded otherwise; an ended connection is not a failed
       * attempt.
       */
      readonly failures: number;
    };

/** Selects the endpoints to query and the data to trust. */
export interface TrustedPool {
  readonly endpoints: readonly Endpoint[];
  /** The trusted chain id; `undefined` until it is configured or can be determined. */
  chainId(): string | undefined;
  /**
   * Records the head reported by an endpoint, `undefined` if it did not respond, and the transports that were down.
   * Without `down` their state is unchanged.
   */
  report(
    endpoint: string,
    head: ToldHead | undefined,
    down?: ReadonlySet<QueryTransport>,
    /** State height in the responses of each transport. */
    states?: ReadonlyMap<QueryTransport, bigint>,
  ): void;
  /**
   * Records a newer block that an endpoint pushed. The endpoint's pace is judged by responses alone: pushed blocks may
   * arrive late and in bursts.
   */
  push(endpoint: string, head: PushedHead): void;
  /** Records the websocket state of an endpoint. */
  setListening(endpoint: string, listening: Listening): void;
  /** `undefined`: the endpoint has no websocket, it is disabled, or it was not tried yet. */
  listening(endpoint: string): Listening | undefined;
  /** Latest block that the endpoint reports now, regardless of its chain. */
  told(endpoint: string): ToldHead | undefined;
  states(endpoint: string): ReadonlyMap<QueryTransport, bigint>;
  /** Sets the endpoints observed on a fork: their data are not used until a later call omits them. */
  setForked(endpoints: ReadonlySet<string>): void;
  standing(endpoint: string): Standing;
  movement(endpoint: string): Movement | undefined;
  /** Awake time, which movements use. */
  awakeMs(): number;
  /**
   * Whether an endpoint's head was read before the last suspension of this process: it must be read again before it
   * counts.
   */
  isObsolete(endpoint: string): boolean;
  /** Endpoints whose data are used, best first. */
  usable(): readonly Endpoint[];
  /**
   * Head that the endpoints agree on. It does not decrease by the few blocks in which endpoints differ. A head that is
   * further back means that the chain was rolled back, and is accepted.
   */
  head(): BlockHead | undefined;
  /** Latest block reported by any endpoint. */
  newest(): NewestBlock | undefined;
  /** Resolves when an endpoint of the right chain reports its head for the first time. */
  readonly firstHead: Promise<void>;
  /**
   * Reads the state of `subject` from the best endpoint, and from the next ones after failures. Uses
   * `EndpointPool.read` of the client with this pool's order. Rejects a response with a lower height than one accepted
   * before for the same subject, unless the chain was rolled back (`Patience`).
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
  /** Called once with the chosen chain id if none is configured. */
  readonly onChosen?: ((chainId: string) => void) | undefined;
  /** Awake time; by default monotonic time at the pace of the clock. */
  readonly awakeMs?: (() => number) | undefined;
  /** End of the last long stall of this process, monotonic time; heads from before it are obsolete. */
  readonly lastStallMs?: (() => number | undefined) | undefined;
  /** Called once if the chain was rolled back or restarted from a snapshot. */
  readonly onWentBack?: ((text: string) => void) | undefined;
}

const maxSources = 4;
/** Maximum time that a response may be in transit, milliseconds. */
const onItsWayMs = 10_000;
/** Consecutive fresh queries required before an endpoint that was fetching old blocks is used. */
const freshLooks = 3;
/** Number of blocks that an endpoint may lag and still count as being exactly at the tip. */
const closeBlocks = 3n;
const roleOrder = { own: 0, reference: 1, archive: 2 } as const;
/** Maximum blocks between two queries that are counted; more mean a period without queries. */
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
  /** Remaining queries that an endpoint must pass as fresh. */
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

  /** Number of reports so far: the head depends only on them and on the clock. */
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
      // An endpoint without a current head may still respond; an endpoint that never reported its chain may serve any chain.
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
    // If everything was down, one attempt suffices to detect a recovery.
    return answering.length > 0 ? answering.slice(0, maxSources) : all.slice(0, 1);
  };
  const sources = new Sources(endpoints, own, clock, {
    order: candidates,
    heights: () => heads().flatMap((one) => (one.rightChain ? one.height : [])),
    onWentBack: (text) => onWentBack?.(text),
  });

  /** Updates an endpoint's latest block; only the response that ends a round counts as a query. */
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

  /** A response may be older than a block pushed while it was in transit. */
  const withPushed = (endpoint: string, reported: ToldHead): ToldHead => {
    const last = pushed.get(endpoint);
    const isLate =
      last !== undefined &&
      last.head.chainId === reported.chainId &&
      last.head.height > reported.height &&
      clock.monotonicMs() - last.atMs < onItsWayMs;
    return isLate ? { ...reported, ...last.head } : reported;
  };
  /** Measures block intervals by the agreed head; if several blocks arrived at once, counts their mean for each. */
  const countInterval = (): void => {
    const now = head();
    if (now === undefined || now.height === counted?.height) return;
    const [blocks, ms] =
      counted === undefined ? [0, 0] : [Number(now.height - counted.height), now.timeMs - counted.timeMs];
    counted = now;
    if (blocks < 1 || blocks > mostCounted || ms <= 0) return;
    for (let block = 0; block < blocks; block++) own.blockInterval.observe(ms / 1_000 / blocks);
  };
  /** Records the current height of an endpoint whose blocks belong to the present of the chain. */
  const noteTip = (endpoint: string): void => {
    const height = told.get(endpoint)?.height;
    if (height !== undefined && isRight(endpoint) && !onProbation.has(endpoint)) tip.take(endpoint, height, awakeMs());
  };
  /** Whether the freshest block changed; if so, no endpoint has been queried for a newer one yet. */
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
      // Only the response that ends a round counts: an endpoint may report its head once before.
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

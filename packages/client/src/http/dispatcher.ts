// Node's fetch opens a socket for every request in progress, and keeps connecting for requests that were given up. Both are
// limited by a dispatcher, a class that Node itself does not export.

/** Option of Node's fetch, which the types of the web do not know. */
export interface Dispatching {
  readonly dispatcher?: object;
}

/** Milliseconds for each address of a name: one lost packet of a handshake is sent again after a second. */
export const addressAttemptMs = 2_000;

/** Connections to one origin. Further requests wait for one of them, in order. */
const laneCount = 2;

/** One connection to an origin, held by one request. */
export interface Lane {
  /** How Node's fetch is to connect. Empty in browsers, and where the process has a dispatcher of another kind, such as a proxy. */
  dispatching(): Dispatching;
  /** Hands the connection to the next request; one without an answer is the last to be taken again. */
  free(isAnswered: boolean): void;
}

interface OriginLanes {
  readonly free: number[];
  readonly waiting: ((lane: number) => void)[];
}

const lanesByOrigin = new Map<string, OriginLanes>();

/**
 * Takes a connection to an origin, once one is free. A pool of undici would not do: after a failed handshake it replaces the
 * client, while the old one still connects for requests that waited, so that a silent TLS peer sees ever more sockets.
 *
 * @throws the reason of the signal when it ends first
 */
export async function takeLane(origin: string, signal: AbortSignal): Promise<Lane> {
  if (dispatchingOf(origin, 0).dispatcher === undefined) return { dispatching: () => ({}), free: () => undefined };
  const lanes = lanesByOrigin.get(origin) ?? { free: Array.from({ length: laneCount }, (_, no) => no), waiting: [] };
  lanesByOrigin.set(origin, lanes);
  const lane = lanes.free.shift() ?? (await nextFree(lanes, signal));
  const free = (isAnswered: boolean): void => {
    const next = lanes.waiting.shift();
    if (next !== undefined) next(lane);
    else if (isAnswered) lanes.free.unshift(lane);
    else lanes.free.push(lane);
    if (lanes.free.length === laneCount && isAnswered) lanesByOrigin.delete(origin);
  };
  return {
    dispatching: () => dispatchingOf(origin, lane),
    // The socket of a request that failed closes in the turns after it.
    free: (isAnswered) => {
      if (isAnswered) free(true);
      else afterTurns(closingTurns, () => free(false));
    },
  };
}

const closingTurns = 10;

function afterTurns(turns: number, run: () => void): void {
  if (turns === 0) run();
  else setImmediate(afterTurns, turns - 1, run);
}

function nextFree({ waiting }: OriginLanes, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const take = (lane: number): void => {
      signal.removeEventListener('abort', leave);
      resolve(lane);
    };
    const leave = (): void => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason as Error);
    };
    if (signal.aborted) reject(signal.reason as Error);
    else {
      waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    }
  });
}

/** Origins whose addresses take longer than the 250 ms that Node gives each but the last. */
const slowOrigins = new Set<string>();
const usual: (Dispatching | undefined)[] = [];
const patient: (Dispatching | undefined)[] = [];

/** An agent of one connection per origin; each lane has its own. */
function dispatchingOf(origin: string, lane: number): Dispatching {
  if (slowOrigins.has(origin)) {
    return (patient[lane] ??= agentWith({
      connections: 1,
      connect: { autoSelectFamilyAttemptTimeout: addressAttemptMs },
    }));
  }
  return (usual[lane] ??= agentWith({ connections: 1 }));
}

/**
 * Gives an origin more time after a failure for want of it: where a handshake takes 270 ms and the other family has no route,
 * every attempt fails although the node is well. Nothing was sent then.
 *
 * @returns whether the request can be made again
 */
export function needsPatience(origin: string, error: unknown): boolean {
  if (!isLostRace(error) || slowOrigins.has(origin)) return false;
  slowOrigins.add(origin);
  return dispatchingOf(origin, 0).dispatcher !== undefined;
}

function agentWith(options: object): Dispatching {
  // Node loads its fetch with the first use of one of these names, and shows the class of its agent nowhere else.
  const isLoaded = typeof globalThis.Headers === 'function';
  const used = isLoaded && (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')];
  const Agent = used ? (used.constructor as new (options: object) => object) : undefined;
  return Agent?.name === 'Agent' ? { dispatcher: new Agent(options) } : {};
}

/** Whether a name has several addresses, and one of them was given up for the sake of the next, which failed too. */
function isLostRace(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  const failures = cause instanceof AggregateError ? (cause.errors as readonly { code?: unknown }[]) : [];
  return failures.length > 1 && failures.some(({ code }) => code === 'ETIMEDOUT');
}

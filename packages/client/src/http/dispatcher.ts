// Node's fetch opens a socket for every request that is under way, and goes on connecting for requests that were given up. It
// takes both limits that matter here from a dispatcher, which Node itself does not export.

/** Option of Node's fetch, which the types of the web do not know. */
export interface Dispatching {
  readonly dispatcher?: object;
}

/** Milliseconds for each address of a name: one lost packet of a handshake is sent again after a second. */
export const addressAttemptMs = 2_000;

/** Sockets to one origin. Further requests wait for one of them. */
const connections = 2;

/** Origins whose addresses take longer than the 250 ms that Node gives each but the last. */
const slowOrigins = new Set<string>();
let usual: Dispatching | undefined;
let patient: Dispatching | undefined;

/** How Node's fetch is to connect to an origin. Empty in browsers, and where the process has a dispatcher of another kind, such as a proxy. */
export function dispatchingOf(origin: string): Dispatching {
  if (slowOrigins.has(origin)) {
    patient ??= agentWith({ connections, connect: { autoSelectFamilyAttemptTimeout: addressAttemptMs } });
    return patient;
  }
  usual ??= agentWith({ connections });
  return usual;
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
  return dispatchingOf(origin).dispatcher !== undefined;
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

// Node gives each address of a name but the last 250 ms to connect: where a handshake takes 270 ms and the other family has no
// way out, every attempt fails although the node is well. Nothing was sent then, so the request is made again with more time.

/** Option of Node's fetch, which the types of the web do not know. */
export interface Dispatching {
  readonly dispatcher?: object;
}

/** Milliseconds for each address: one lost packet of a handshake is sent again after a second. */
export const addressAttemptMs = 2_000;

let patient: Dispatching | undefined;

/**
 * What makes Node's fetch give every address more time, after a failure for want of it; `undefined` after any other, in
 * browsers, which race by rules of their own, and where the process has a dispatcher of another kind, such as a proxy.
 */
export function patienceAfter(error: unknown): Dispatching | undefined {
  if (!isLostRace(error)) return undefined;
  // Node shows the class of its agent nowhere else. A further agent is used instead of a setting of the whole process.
  const used = (globalThis as Record<symbol, unknown>)[Symbol.for('undici.globalDispatcher.1')];
  const Agent = used?.constructor as (new (options: object) => object) | undefined;
  if (Agent?.name !== 'Agent') return undefined;
  patient ??= { dispatcher: new Agent({ connect: { autoSelectFamilyAttemptTimeout: addressAttemptMs } }) };
  return patient;
}

/** Whether a name has several addresses, and one of them was given up for the sake of the next, which failed too. */
function isLostRace(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  const failures = cause instanceof AggregateError ? (cause.errors as readonly { code?: unknown }[]) : [];
  return failures.length > 1 && failures.some(({ code }) => code === 'ETIMEDOUT');
}

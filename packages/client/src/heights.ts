import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { HubError } from './error.js';
import { currentPlannedHeight, getLatestHeight } from './head-methods.js';
import { firstHeight } from './height-refusal.js';
import type { CallOptions, Transport } from './transport.js';

/** Transports that serve every method of this file. */
export type AnyTransport = Transport<'grpc'> | Transport<'rest'> | Transport<'abci'>;

type Limits = Omit<CallOptions, 'height'>;

/** The latest block and state of a node, and the plan that stops its chain. */
export interface Head {
  /** Latest stored block. */
  readonly block: bigint;
  /** Latest state that can be queried. It is one below `block` while a block is executed and on a stopped chain. */
  readonly state: bigint;
  /** Name and height of the plan, if the chain has reached it and waits for another release. */
  readonly stoppedFor: { readonly name: string; readonly height: bigint } | undefined;
}

/**
 * Reads the head of a node. Takes two reads, and a third if a stored block is not executed.
 *
 * @throws HubError as any call
 * @source proto/spec/node.yaml, headers.answer_height
 */
export async function readHead(transport: AnyTransport, limits: Limits = {}): Promise<Head> {
  // The state is read first: otherwise a block created in between would look like one that was never executed.
  const { height: state } = await ask(transport, queryParams, limits);
  const { message } = await ask(transport, getLatestHeight, limits);
  const block = message.block?.header.height;
  if (state === undefined || block === undefined) {
    throw new HubError({
      code: 'decode',
      message: `${transport.kind} at ${transport.address}: the answer has no ${state === undefined ? 'height' : 'block'}`,
      transport: transport.kind,
      address: transport.address,
    });
  }
  if (block <= state) return { block, state, stoppedFor: undefined };
  const answer = await ask(transport, currentPlannedHeight, limits).catch((error: unknown) => {
    // A node without the module, or one that is restarted with the new release: no plan is known.
    if (error instanceof HubError && !error.retryable) return undefined;
    throw error;
  });
  const plan = answer?.message.plan;
  const isReached = plan !== undefined && plan.height === block && answer?.height === block - 1n;
  return { block, state, stoppedFor: isReached ? { name: plan.name, height: plan.height } : undefined };
}

/**
 * Explains a refusal of a height. For a future height of a chain that waits for its upgrade, the code becomes
 * `stopped_for_upgrade`, and the latest height is filled in. Any other error is returned unchanged.
 *
 * @param transport any transport to the node that refused
 * @throws HubError when the node cannot be queried
 */
export async function explainHeight(transport: AnyTransport, error: HubError, limits: Limits = {}): Promise<HubError> {
  if (!mayBeStopped(error)) return error;
  const head = await readHead(transport, limits);
  const stopped = explainByHead(error, head);
  if (stopped !== undefined || error.code !== 'height_in_future') return stopped ?? error;
  const latestHeight = error.latestHeight ?? head.state;
  return new HubError({ ...factsOf(error), latestHeight, cause: error, code: error.code, message: error.rawMessage });
}

/** Whether the refusal may come from a chain that waits for its upgrade; other causes are possible. */
export function mayBeStopped(error: HubError): boolean {
  // The results of a block that is stored and not executed do not exist. Other records are missing for other reasons.
  const isWaiting =
    error.code === 'not_found' && /could not find (?:results|consensus params) for height/.test(error.raw.text ?? '');
  return error.code === 'height_in_future' || isWaiting;
}

/** The refusal as `stopped_for_upgrade`, if the head shows that its height does not exist before the upgrade. */
export function explainByHead(error: HubError, { state, stoppedFor }: Head): HubError | undefined {
  const { height } = error;
  if (stoppedFor === undefined || (height !== undefined && height < stoppedFor.height)) return undefined;
  const { name, height: at } = stoppedFor;
  return new HubError({
    ...factsOf(error),
    latestHeight: error.latestHeight ?? state,
    cause: error,
    code: 'stopped_for_upgrade',
    message: `${error.rawMessage}; the chain waits at height ${at} for the upgrade ${JSON.stringify(name)}`,
  });
}

/**
 * Lowest height whose state a node can return, by binary search: about 20 small reads. Nodes prune from below. For a
 * node that retains only some states, it is the lower end of the highest range that the search found.
 *
 * @throws HubError as any call, except for heights that are not retained
 * @source proto/spec/limits.yaml, state_retention
 */
export async function findLowestState(transport: AnyTransport, limits: Limits = {}): Promise<bigint> {
  let { state: held } = await readHead(transport, limits);
  let low = firstHeight;
  // Invariant: the state at `held` can be queried, and no state below `low` can.
  while (low < held) {
    const middle = (low + held) / 2n;
    if (await isRetained(transport, middle, limits)) held = middle;
    else low = middle + 1n;
  }
  return held;
}

async function isRetained(transport: AnyTransport, height: bigint, limits: Limits): Promise<boolean> {
  try {
    await ask(transport, queryParams, { ...limits, height });
    return true;
  } catch (error) {
    if (error instanceof HubError && /^height_(?:not_retained|never_existed)$/.test(error.code)) return false;
    throw error;
  }
}

/** The methods here are served on every transport, so the kind of the transport does not matter. */
function ask<M extends typeof queryParams | typeof getLatestHeight | typeof currentPlannedHeight>(
  transport: AnyTransport,
  method: M,
  options: CallOptions,
) {
  return (transport as Transport<'grpc'>).call(method, {} as never, options);
}

function factsOf({ transport, address, method, raw, height, lowestHeight, latestHeight }: HubError) {
  return {
    ...(transport === undefined ? {} : { transport }),
    ...(address === undefined ? {} : { address }),
    method,
    raw,
    height,
    lowestHeight,
    latestHeight,
  };
}

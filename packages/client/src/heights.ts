import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { getLatestBlock } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import { HubError } from './error.js';
import { firstHeight } from './height-refusal.js';
import type { CallOptions, Transport } from './transport.js';

/** Transports that every method of this file is served on. */
export type AnyTransport = Transport<'grpc'> | Transport<'rest'> | Transport<'abci'>;

type Limits = Omit<CallOptions, 'height'>;

/** The newest block of a node, the newest state, and the plan that stops its chain. */
export interface Head {
  /** Newest block that is stored. */
  readonly block: bigint;
  /** Newest state that can be asked; one below `block` while a block is executed and on a chain that is stopped. */
  readonly state: bigint;
  /** Name and height of the plan, when the chain has reached it and waits for another release. */
  readonly stoppedFor: { readonly name: string; readonly height: bigint } | undefined;
}

/**
 * Where a node stands. Two reads; a third when a block is stored that is not executed.
 *
 * @throws HubError as any call
 * @source proto/spec/node.yaml, headers.answer_height
 */
export async function readHead(transport: AnyTransport, limits: Limits = {}): Promise<Head> {
  // The state first: a block that is made in between does not look like one that was never executed.
  const { height: state } = await ask(transport, queryParams, limits);
  const { message } = await ask(transport, getLatestBlock, limits);
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
  const answer = await ask(transport, currentPlan, limits).catch((error: unknown) => {
    // A node without the module, or one that is restarted with the new release: then nothing is known of a plan.
    if (error instanceof HubError && !error.retryable) return undefined;
    throw error;
  });
  const plan = answer?.message.plan;
  const isReached = plan !== undefined && plan.height === block && answer?.height === block - 1n;
  return { block, state, stoppedFor: isReached ? { name: plan.name, height: plan.height } : undefined };
}

/**
 * Looks closer at a refusal of a height: a height to come of a chain that waits for its upgrade becomes
 * `stopped_for_upgrade`, and the newest height is filled in. Any other error comes back as it is.
 *
 * @param transport any way to ask the node that refused
 * @throws HubError when the node cannot be asked
 */
export async function explainHeight(transport: AnyTransport, error: HubError, limits: Limits = {}): Promise<HubError> {
  if (!mayBeStopped(error)) return error;
  const head = await readHead(transport, limits);
  const stopped = explainByHead(error, head);
  if (stopped !== undefined || error.code !== 'height_in_future') return stopped ?? error;
  const latestHeight = error.latestHeight ?? head.state;
  return new HubError({ ...factsOf(error), latestHeight, cause: error, code: error.code, message: error.rawMessage });
}

/** Whether a chain that waits for its upgrade refuses so; others do too. */
export function mayBeStopped(error: HubError): boolean {
  // The results of a block that is stored and not executed do not exist; other records are not there for other reasons.
  const isWaiting =
    error.code === 'not_found' && /could not find (?:results|consensus params) for height/.test(error.raw.text ?? '');
  return error.code === 'height_in_future' || isWaiting;
}

/** The refusal as `stopped_for_upgrade`, where the head says that its height does not come before the upgrade. */
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
 * Lowest height whose state a node can be asked for, by halving: about 20 small reads. Nodes prune from below; of a node
 * that keeps only some states it is the lower end of the uppermost run that the search met.
 *
 * @throws HubError as any call, except for heights that are not retained
 * @source proto/spec/limits.yaml, state_retention
 */
export async function findLowestState(transport: AnyTransport, limits: Limits = {}): Promise<bigint> {
  let { state: held } = await readHead(transport, limits);
  let low = firstHeight;
  // Invariant: `held` can be asked, everything below `low` cannot.
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

/** The methods here are served everywhere, so that the kind of the transport does not matter. */
function ask<M extends typeof queryParams | typeof getLatestBlock | typeof currentPlan>(
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

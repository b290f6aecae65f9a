import { pause, systemClock } from '../clock.js';
import { HubError } from '../error.js';
import { txHash } from '../tx/build-tx.js';
import { type EventQuery, eventQuery } from '../websocket/event-query.js';
import type { Subscription, TxEvent } from '../websocket/subscription.js';
import { findTx, type LookupRoute, type TxInBlock, txOfEvent } from './confirm.js';
import { type BroadcastMode, type BroadcastRoute, type Rejection, type Submission, submit } from './submit.js';

/**
 * Outcome of a broadcast, discriminated by `outcome`, with the hash of the transaction: upper-case hex, 64 characters.
 */
export type BroadcastOutcome = { readonly hash: string } & (
  | {
      /** The transaction did not enter a mempool: it was not sent, or refused before CheckTx. It may be sent again. */
      readonly outcome: 'refused_before_sending';
      readonly error: HubError;
    }
  /** CheckTx rejected it with a code and a text. The mempool's own refusals are codes 20 and 21 of codespace `sdk`. */
  | ({ readonly outcome: 'rejected_by_check_tx' } & Rejection)
  /** The node already had it, and it was not found in a block in time. */
  | { readonly outcome: 'already_known' }
  /** Included in a block with result code 0. */
  | { readonly outcome: 'included'; readonly tx: TxInBlock }
  /** Included in a block with another result code: the fee is paid and nothing else was executed. */
  | { readonly outcome: 'included_and_failed'; readonly tx: TxInBlock }
  | {
      /**
       * Not found in a block in time, but it may still be included. Look for its hash; do not send it again blindly.
       */
      readonly outcome: 'accepted_unknown';
      /** Whether the node reported that CheckTx accepted it. */
      readonly isAdmitted: boolean;
      /** Why the response or the search gave no result. */
      readonly error: HubError | undefined;
    }
);

/** Subscribes to events, as the websocket client does. */
export interface EventSource {
  subscribe(query: EventQuery<'Tx'>): Promise<Subscription<TxEvent>>;
}

export interface BroadcastOptions {
  /** `sync` by default. */
  readonly mode?: BroadcastMode | undefined;
  /** Milliseconds for the submission. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to search for the transaction. Default 60 000. */
  readonly confirmMs?: number | undefined;
  /** Milliseconds between two lookups. Default 1 000. */
  readonly everyMs?: number | undefined;
  /** Route used to look up the transaction. Default: the route of the submission. */
  readonly lookup?: LookupRoute | undefined;
  /** A websocket that reports the block as soon as it exists. Lookups continue in parallel. */
  readonly events?: EventSource | undefined;
  /**
   * Ends the search; before the submission, it also prevents the submission. A submitted transaction cannot be
   * recalled.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a signed transaction once and waits until it is in a block. Every failure of the node or the network is an
 * outcome, not an exception. If the response is lost, the transaction is queried by its hash and never sent again.
 *
 * @throws HubError `invalid_argument` for an empty transaction
 */
export async function broadcastAndConfirm(
  route: BroadcastRoute,
  tx: Uint8Array,
  options: BroadcastOptions = {},
): Promise<BroadcastOutcome> {
  const { mode = 'sync', timeoutMs, signal } = options;
  if (tx.length === 0)
    throw new HubError({ code: 'invalid_argument', message: 'a transaction without a byte cannot be sent' });
  const hash = txHash(tx);
  if (signal?.aborted) {
    const message = `broadcast over ${route.kind} at ${route.address}: cancelled before it was sent`;
    return {
      hash,
      outcome: 'refused_before_sending',
      error: new HubError({ code: 'cancelled', message, cause: signal.reason }),
    };
  }
  const watch = await watchFor(hash, options.events);
  try {
    const submission = await submit(route, tx, mode, { timeoutMs, signal });
    return settledBy(submission, hash) ?? (await confirm(submission, hash, route, watch, options));
  } finally {
    await watch?.close();
  }
}

/** Outcome, if the submission already determines it. */
function settledBy(submission: Submission, hash: string): BroadcastOutcome | undefined {
  switch (submission.kind) {
    case 'refused':
      return { hash, outcome: 'refused_before_sending', error: submission.error };
    case 'rejected': {
      const { reason, code, codespace, log } = submission;
      return { hash, outcome: 'rejected_by_check_tx', reason, code, codespace, log };
    }
    case 'executed': {
      const { code, codespace, log, gasWanted, gasUsed } = submission.result;
      return inBlock(hash, { height: submission.height, code, codespace, log, gasWanted, gasUsed });
    }
    default:
      return undefined;
  }
}

function inBlock(hash: string, tx: TxInBlock): BroadcastOutcome {
  return { hash, outcome: tx.code === 0 ? 'included' : 'included_and_failed', tx };
}

interface Watch {
  /** Resolves with the transaction when its event arrives. Never settles if the connection is lost. */
  readonly seen: Promise<TxInBlock>;
  close(): Promise<void>;
}

/** Subscribes before the submission, so that no block is missed. Without events, only the lookups are used. */
async function watchFor(hash: string, events: EventSource | undefined): Promise<Watch | undefined> {
  const subscription = await events?.subscribe(eventQuery('Tx').is('tx.hash', hash)).catch(() => undefined);
  if (subscription === undefined) return undefined;
  const seen = new Promise<TxInBlock>((resolve) => {
    const listen = async (): Promise<void> => {
      for await (const event of subscription) {
        resolve(txOfEvent(event));
        return;
      }
    };
    // A lost connection gives no information about the transaction.
    listen().catch(() => undefined);
  });
  return { seen, close: () => subscription.close().catch(() => undefined) };
}

async function confirm(
  submission: Submission,
  hash: string,
  route: BroadcastRoute,
  watch: Watch | undefined,
  options: BroadcastOptions,
): Promise<BroadcastOutcome> {
  const { confirmMs = 60_000, everyMs = 1_000, lookup = route, signal, timeoutMs } = options;
  const endsAt = performance.now() + confirmMs;
  let failure = submission.kind === 'unsure' ? submission.error : undefined;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0 || signal?.aborted) break;
    const look = findTx(lookup, hash, { timeoutMs: Math.min(timeoutMs ?? 10_000, leftMs), signal }).catch(
      (error: unknown) => {
        if (!(error instanceof HubError)) throw error;
        failure = error;
        return undefined;
      },
    );
    const found = await (watch === undefined ? look : Promise.race([look, watch.seen]));
    if (found !== undefined) return inBlock(hash, found);
    // On a node without a transaction index, every lookup fails.
    if (failure?.code === 'unimplemented' && watch === undefined) break;
    const event = await Promise.race([
      pause(systemClock, Math.min(everyMs, endsAt - performance.now()), signal),
      ...(watch ? [watch.seen] : []),
    ]);
    if (event !== undefined) return inBlock(hash, event);
  }
  if (submission.kind === 'known') return { hash, outcome: 'already_known' };
  return { hash, outcome: 'accepted_unknown', isAdmitted: submission.kind === 'admitted', error: failure };
}

import { getTx } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { fromHex } from '@hubwatch/types/runtime/base64';
import { HubError } from '../error.js';
import type { RpcClient } from '../rpc/client.js';
import type { CallOptions, Transport } from '../transport.js';
import type { TxEvent } from '../websocket/subscription.js';

/** A route over which a transaction can be looked up. */
export type LookupRoute = RpcClient | Transport<'grpc'> | Transport<'rest'> | Transport<'abci'>;

/** A transaction in a block. */
export interface TxInBlock {
  readonly height: bigint;
  /** Result code; 0 for a transaction that was executed successfully. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
}

type Limits = Pick<CallOptions, 'timeoutMs' | 'signal'>;

/**
 * Looks up a transaction by its hash; `undefined` when no block includes it yet.
 *
 * @throws HubError as any call; `unimplemented` on a node without a transaction index
 */
export async function findTx(route: LookupRoute, hash: string, limits: Limits = {}): Promise<TxInBlock | undefined> {
  try {
    if (route.kind === 'rpc') {
      const { height, result } = await route.call('tx', { hash: fromHex(hash) }, limits);
      const { code, codespace, log, gasWanted, gasUsed } = result;
      return { height, code, codespace, log, gasWanted, gasUsed };
    }
    const { message } = await (route as Transport<'grpc'>).call(getTx, { hash }, limits);
    if (message.txResponse === undefined) return undefined;
    const { height, code, codespace, rawLog: log, gasWanted, gasUsed } = message.txResponse;
    return { height, code, codespace, log, gasWanted, gasUsed };
  } catch (error) {
    if (error instanceof HubError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Extracts the transaction from an event. */
export function txOfEvent({ height, result }: TxEvent): TxInBlock {
  const { code, codespace, log, gasWanted, gasUsed } = result;
  return { height, code, codespace, log, gasWanted, gasUsed };
}

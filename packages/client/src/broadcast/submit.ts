import { broadcastTx } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { type ErrorCode, HubError } from '../error.js';
import { codeOfPlainText } from '../framework-error.js';
import type { RpcClient } from '../rpc/client.js';
import type { TxResult } from '../rpc/results.js';
import type { CallOptions, Transport } from '../transport.js';

/** A route over which a transaction can be submitted. */
export type BroadcastRoute = RpcClient | Transport<'grpc'> | Transport<'rest'>;

/**
 * `sync` waits for the admission test, `async` waits for nothing. `commit` (consensus RPC only) waits for the block, up
 * to the timeout of the node.
 */
export type BroadcastMode = 'sync' | 'async' | 'commit';

/** Reason of the admission test (CheckTx) for rejecting a transaction. */
export interface Rejection {
  /** Error code of this package; `unknown` if the package does not distinguish the cause. */
  readonly reason: ErrorCode;
  /** Code and codespace of the chain. */
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
}

/** Result of a submission. */
export type Submission =
  /** The transaction did not enter the mempool. */
  | { readonly kind: 'refused'; readonly error: HubError }
  | ({ readonly kind: 'rejected' } & Rejection)
  | { readonly kind: 'known' }
  /** The admission test was passed. */
  | { readonly kind: 'admitted' }
  /** The node did not report the result of the admission test. */
  | { readonly kind: 'handed_over' }
  /** The response was lost or contained no result. The node may have accepted the transaction. */
  | { readonly kind: 'unsure'; readonly error: HubError }
  | { readonly kind: 'executed'; readonly height: bigint; readonly result: TxResult };

type Limits = Pick<CallOptions, 'timeoutMs' | 'signal'>;

/** Submits a transaction once. Failures of the node or the network are returned, never thrown. */
export async function submit(
  route: BroadcastRoute,
  tx: Uint8Array,
  mode: BroadcastMode,
  limits: Limits,
): Promise<Submission> {
  try {
    if (route.kind === 'rpc') return await submitToRpc(route, tx, mode, limits);
    if (mode === 'commit') {
      throw new HubError({
        code: 'not_served',
        message: `broadcast over ${route.kind}: it cannot wait for the block; use sync or async, or the consensus RPC`,
        transport: route.kind,
        address: route.address,
      });
    }
    return await submitToQuery(route as Transport<'grpc'>, tx, mode, limits);
  } catch (error) {
    if (error instanceof HubError) return refusalOf(error);
    throw error;
  }
}

async function submitToRpc(route: RpcClient, tx: Uint8Array, mode: BroadcastMode, limits: Limits): Promise<Submission> {
  if (mode === 'commit') {
    const { checkTx, txResult, height } = await route.call('broadcast_tx_commit', { tx }, limits);
    return checkTx.code === 0 ? { kind: 'executed', height, result: txResult } : checked(checkTx);
  }
  const answer = await route.call(mode === 'sync' ? 'broadcast_tx_sync' : 'broadcast_tx_async', { tx }, limits);
  return mode === 'async' ? { kind: 'handed_over' } : checked(answer);
}

const modes = { sync: 2, async: 3 } as const;

/** Submits over `BroadcastTx` of the gRPC query service. @source proto/spec/node.yaml, broadcast.interfaces */
async function submitToQuery(
  route: Transport<'grpc'>,
  tx: Uint8Array,
  mode: Exclude<BroadcastMode, 'commit'>,
  limits: Limits,
): Promise<Submission> {
  const { message } = await route.call(broadcastTx, { txBytes: tx, mode: modes[mode] }, limits);
  const { code = 0, codespace = '', rawLog = '' } = message.txResponse ?? {};
  return mode === 'async' && code === 0 ? { kind: 'handed_over' } : checked({ code, codespace, log: rawLog });
}

function checked({ code, codespace, log }: { code: number; codespace: string; log: string }): Submission {
  if (code === 0) return { kind: 'admitted' };
  // Over gRPC and REST, the mempool's own refusals have codes of the framework.
  if (codespace === 'sdk' && code === 19) return { kind: 'known' };
  return { kind: 'rejected', reason: reasonOf(code, codespace, log), code, codespace, log };
}

/** Codes of codespace `sdk` that a sender can act on. */
const reasons: Readonly<Record<number, ErrorCode>> = {
  5: 'insufficient_funds',
  20: 'rate_limited',
  21: 'limit',
  32: 'wrong_sequence',
};

function reasonOf(code: number, codespace: string, log: string): ErrorCode {
  return (codespace === 'sdk' ? reasons[code] : undefined) ?? codeOfPlainText(log) ?? 'unknown';
}

/** Interprets an error of the consensus RPC, which reports refusals of the mempool as errors. */
function refusalOf(error: HubError): Submission {
  const { code, raw } = error;
  const text = raw.text ?? '';
  if (code === 'already_known') return { kind: 'known' };
  if (/mempool is full/.test(text)) return checked({ code: 20, codespace: 'sdk', log: text });
  if (/Tx too large|tx size is too big/.test(text)) return checked({ code: 21, codespace: 'sdk', log: text });
  return isUnsent(error) ? { kind: 'refused', error } : { kind: 'unsure', error };
}

/** Whether the transaction cannot have entered the mempool: nothing was sent, or the node or a proxy refused it. */
function isUnsent({ code, raw }: HubError): boolean {
  switch (code) {
    // The connection was not accepted, this client refused the call, or the node parsed and rejected the request.
    case 'refused':
    case 'not_served':
    case 'invalid_argument':
    case 'unimplemented':
      return true;
    // A certificate is checked before the first byte of a request; other TLS failures can occur later.
    case 'tls':
      return /certificate|self.signed/i.test(raw.text ?? '');
    case 'rate_limited':
      return raw.httpStatus === 429 || raw.grpcCode === 8;
    // A body over the node's limit is read and discarded.
    case 'limit':
      return raw.rpcCode === -32600;
    default:
      return false;
  }
}

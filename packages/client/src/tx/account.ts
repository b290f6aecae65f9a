import { accountInfo } from '@hubwatch/types/gen/methods/stack/auth/v1beta1/query';
import { simulate } from '@hubwatch/types/gen/methods/stack/tx/v1beta1/service';
import { convertAddress } from '../address/convert.js';
import { HubError } from '../error.js';
import type { CallOptions, Transport } from '../transport.js';

type AnyTransport = Transport<'grpc'> | Transport<'rest'> | Transport<'abci'>;

/**
 * Number and next sequence of an account, which are signed with its next transaction.
 *
 * @param address of the account, or of a node or provider with its key
 * @throws HubError `not_found` for an account that never received anything, and as any call
 */
export async function readAccount(
  transport: AnyTransport,
  address: string,
  options?: CallOptions,
): Promise<{ readonly accountNumber: bigint; readonly sequence: bigint }> {
  const account = convertAddress(address, 'account');
  const { message } = await (transport as Transport<'grpc'>).call(accountInfo, { address: account }, options);
  if (message.info === undefined) {
    throw new HubError({
      code: 'not_found',
      message: `${transport.kind} at ${transport.address}: ${account} has no account`,
    });
  }
  const { accountNumber, sequence } = message.info;
  return { accountNumber, sequence };
}

/**
 * Gas that a transaction would use now, times a margin. Signatures are not checked, but the sequence is.
 *
 * @param margin 1.3 by default, because the state changes until the block
 * @throws HubError when the transaction would fail, with the reason
 */
export async function estimateGas(
  transport: AnyTransport,
  txBytes: Uint8Array,
  margin = 1.3,
  options?: CallOptions,
): Promise<bigint> {
  const { message } = await (transport as Transport<'grpc'>).call(simulate, { txBytes }, options);
  const used = message.gasInfo?.gasUsed ?? 0n;
  return (used * BigInt(Math.ceil(margin * 1000)) + 999n) / 1000n;
}

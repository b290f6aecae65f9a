import { Tx } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { HubError } from '../error.js';

/**
 * Decodes a transaction: body, signers, fee and signatures. Known messages are decoded; for others, the type and the
 * bytes are returned.
 *
 * @throws HubError `decode`
 */
export function decodeTx(bytes: Uint8Array, naming: Naming): Tx {
  try {
    return decodeBinary(Tx, bytes, naming);
  } catch (cause) {
    throw new HubError({
      code: 'decode',
      message: `the transaction cannot be read: ${(cause as Error).message}`,
      cause,
    });
  }
}

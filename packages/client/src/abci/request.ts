import { toHex } from '@hubwatch/types/runtime/base64';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { methodPath } from '../method-path.js';

/** Parameters of `abci_query`: `data` is hex without `0x`, `height` is decimal text. */
export interface AbciParams {
  readonly path: string;
  readonly data: string;
  readonly height?: string;
}

/**
 * @throws CodecError when a member of the request cannot be written
 * @source proto/spec/rpc.yaml, methods.abci_query
 */
export function writeAbciRequest(
  method: AnyMethod,
  request: object,
  height: bigint | undefined,
  naming: Naming,
): AbciParams {
  return {
    path: methodPath(method, naming),
    data: toHex(encodeBinary(method.request, request, naming)).toLowerCase(),
    ...(height === undefined ? {} : { height: String(height) }),
  };
}

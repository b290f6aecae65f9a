import { encodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { heightHeader } from '../height-header.js';
import { methodPath } from '../method-path.js';

export interface GrpcRequest {
  /** `/<service>/<method>` as on the wire. */
  readonly path: string;
  /** Protobuf bytes, without the frame. */
  readonly message: Uint8Array;
  readonly metadata: readonly (readonly [name: string, value: string])[];
}

/** @throws CodecError when a member of the request cannot be written */
export function writeGrpcRequest(
  method: AnyMethod,
  request: object,
  height: bigint | undefined,
  naming: Naming,
): GrpcRequest {
  return {
    path: methodPath(method, naming),
    message: encodeBinary(method.request, request, naming),
    metadata: height === undefined ? [] : [[naming.headerToWire(heightHeader), String(height)]],
  };
}

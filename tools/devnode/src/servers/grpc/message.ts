import type { Header } from '../http/message.js';

/** A unary call: the frame is already taken off and unpacked. */
export interface GrpcCall {
  /** `/<service>/<method>`, names as on the wire. */
  readonly path: string;
  /** Request headers beside the pseudo headers, in order, names in lower case. */
  readonly metadata: readonly Header[];
  readonly message: Uint8Array;
}

export interface GrpcAnswer {
  readonly code: number;
  readonly message: string;
  /** Initial metadata beside status, content type and encoding. */
  readonly metadata: readonly Header[];
  /** Answer message; undefined sends none. */
  readonly body: Uint8Array | undefined;
  /** One header block carries everything: the node's form where no handler was reached. */
  readonly trailersOnly: boolean;
  /** Body as the node packed it, for a client that sent `grpc-encoding: gzip`. */
  readonly packedBody?: Uint8Array;
}

/** One answer of a bidirectional stream, or the status that ends it. */
export type StreamAnswer = { readonly body: Uint8Array } | { readonly code: number; readonly message: string };

/** State of one bidirectional stream. */
export interface GrpcStream {
  receive(message: Uint8Array): StreamAnswer;
}

export interface GrpcHandler {
  unary(call: GrpcCall): GrpcAnswer | Promise<GrpcAnswer>;
  /** Opens a stream if the path is a streaming method. */
  stream(path: string): GrpcStream | undefined;
}

export const grpcCode = {
  ok: 0,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const;

/** Answer for a call that reached no handler: one header block, no metadata. */
export function refusal(code: number, message: string): GrpcAnswer {
  return { code, message, metadata: [], body: undefined, trailersOnly: true };
}

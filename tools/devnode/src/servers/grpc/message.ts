import type { Header } from '../http/message.js';

/** A unary call, with its message unframed and decompressed. */
export interface GrpcCall {
  /** `/<service>/<method>`, with wire names. */
  readonly path: string;
  /** Request headers without the pseudo headers, in order, with names in lower case. */
  readonly metadata: readonly Header[];
  readonly message: Uint8Array;
}

export interface GrpcAnswer {
  readonly code: number;
  readonly message: string;
  /** Initial metadata without status, content type and encoding. */
  readonly metadata: readonly Header[];
  /** Response message; undefined sends none. */
  readonly body: Uint8Array | undefined;
  /** One header block contains everything: the node's format if no handler was reached. */
  readonly trailersOnly: boolean;
  /** Body as compressed by the node, for a client that sent `grpc-encoding: gzip`. */
  readonly packedBody?: Uint8Array;
}

/** One message of a bidirectional stream, or the status that ends it. */
export type StreamAnswer = { readonly body: Uint8Array } | { readonly code: number; readonly message: string };

/** State of one bidirectional stream. */
export interface GrpcStream {
  receive(message: Uint8Array): StreamAnswer;
}

export interface GrpcHandler {
  unary(call: GrpcCall): GrpcAnswer | Promise<GrpcAnswer>;
  /** Opens a stream if the path belongs to a streaming method. */
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

/** Response to a call that reached no handler: one header block, no metadata. */
export function refusal(code: number, message: string): GrpcAnswer {
  return { code, message, metadata: [], body: undefined, trailersOnly: true };
}

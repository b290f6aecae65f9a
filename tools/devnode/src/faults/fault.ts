import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Offset in the response, in bytes, at which the fault occurs; 0 (default) is before the first byte. */
interface After {
  readonly after?: number;
}

/** Faults in the bytes sent to the client, independent of their content. */
export type ByteFault =
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection is closed normally. */
  | ({ readonly kind: 'cut' } & After)
  /** The connection is reset. */
  | ({ readonly kind: 'reset' } & After)
  /** No more bytes are forwarded or read; the connection stays open. */
  | ({ readonly kind: 'black-hole' } & After)
  /** The connection to the node is gone; data from the client is accepted and discarded without notification. */
  | ({ readonly kind: 'half-open' } & After)
  /** Eight bytes are replaced by bytes that are invalid in UTF-8. */
  | ({ readonly kind: 'garble' } & After)
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number };

/** Faults of one HTTP response. Most of them do not contact the node. */
export type AnswerFault =
  | ByteFault
  /** An HTML page from a proxy. */
  | { readonly kind: 'html'; readonly status: number; readonly contentType?: string }
  /** Status 429; `retryAfter` is the text of the header, which is omitted if undefined. */
  | { readonly kind: 'too-many'; readonly retryAfter?: string }
  /** A status with a one-line text body. */
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  /** A body that decompresses to this number of zero bytes. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** A JSON body that never ends. */
  | { readonly kind: 'endless' }
  /** The node's response with a Content-Length that is wrong by this number of bytes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The first half of the node's body, sent as a complete response. */
  | { readonly kind: 'truncate' }
  /** Repeats the previous response. */
  | { readonly kind: 'replay' }
  /** An arbitrary response from a hostile node. */
  | {
      readonly kind: 'answer';
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly contentType?: string;
    }
  /** Runs a function; through the socket of the response it can send bytes that node:http would reject. */
  | { readonly kind: 'act'; readonly act: (response: ServerResponse, body: string) => void };

/** Faults of one websocket frame sent by the node. */
export type FrameFault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'duplicate' }
  /** Sends an earlier frame again, then the current one. */
  | { readonly kind: 'replay' }
  /** Sends only the first half of the text. */
  | { readonly kind: 'truncate' }
  | { readonly kind: 'garble' }
  /** The node cancels the subscription with this reason and sends nothing more for it. */
  | { readonly kind: 'cancel'; readonly reason: string }
  /** Sends a frame of this number of bytes instead. */
  | { readonly kind: 'oversize'; readonly bytes: number }
  /** Sends a close frame. */
  | { readonly kind: 'close'; readonly code: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'reset' }
  /** From now on neither frames nor pings pass in either direction. */
  | { readonly kind: 'black-hole' };

/** Faults of one gRPC stream. */
export type StreamFault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'black-hole' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'html'; readonly status: number }
  | { readonly kind: 'too-many'; readonly retryAfter?: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  /** The stream is reset with this HTTP/2 error code. */
  | { readonly kind: 'reset-stream'; readonly code: number }
  /** The connection is terminated with GOAWAY, as for too many pings. */
  | { readonly kind: 'goaway'; readonly code: number; readonly text: string }
  /** The bytes of the message are garbled; its length is unchanged. */
  | { readonly kind: 'garble' }
  /** Half of the message with its full length in the prefix, then the trailers. */
  | { readonly kind: 'truncate' }
  /** A compressed message that decompresses to this number of zero bytes. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** A message that never ends. */
  | { readonly kind: 'endless' }
  /** Sends these bytes as the message. */
  | { readonly kind: 'answer'; readonly body: Uint8Array }
  /** Runs a function. */
  | { readonly kind: 'act'; readonly act: (stream: ServerHttp2Stream) => void };

export type Fault = AnswerFault | FrameFault | StreamFault;

/** Chooses the fault for the next connection, response, frame or stream; `undefined` means no fault. */
export interface FaultPlan {
  /** Fault for a connection in `tcp` mode. */
  connection?(): ByteFault | undefined;
  /** Fault for a request in `http` mode, including websocket upgrades. */
  answer?(request: { readonly path: string; readonly body: string }): AnswerFault | undefined;
  /** Fault for a frame sent by the node in `http` mode. */
  frame?(text: string): FrameFault | undefined;
  /** Fault for a call in `grpc` mode. */
  stream?(path: string): StreamFault | undefined;
}

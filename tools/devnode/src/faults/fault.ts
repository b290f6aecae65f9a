import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/** Strikes after so many bytes of the answer; 0 by default, before the first. */
interface After {
  readonly after?: number;
}

/** Faults of the bytes that go to the client, whatever they mean. */
export type ByteFault =
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection ends in order. */
  | ({ readonly kind: 'cut' } & After)
  /** The connection is reset. */
  | ({ readonly kind: 'reset' } & After)
  /** Nothing passes any more and nothing is read; the connection stays. */
  | ({ readonly kind: 'black-hole' } & After)
  /** The node's side is gone; what the client sends is taken and lost, and nobody tells it. */
  | ({ readonly kind: 'half-open' } & After)
  /** Eight bytes become bytes that are no UTF-8. */
  | ({ readonly kind: 'garble' } & After)
  | { readonly kind: 'drip'; readonly bytes: number; readonly everyMs: number };

/** Faults of one HTTP answer. Most of them never ask the node. */
export type AnswerFault =
  | ByteFault
  /** The page of a proxy. */
  | { readonly kind: 'html'; readonly status: number; readonly contentType?: string }
  /** 429; `retryAfter` is the header's text, absent without. */
  | { readonly kind: 'too-many'; readonly retryAfter?: string }
  /** A status with one line of text. */
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  /** A body that unpacks to so many zero bytes. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** A JSON body that never ends. */
  | { readonly kind: 'endless' }
  /** The node's answer under a content length that is wrong by so many bytes. */
  | { readonly kind: 'wrong-length'; readonly by: number }
  /** The first half of the node's body as a whole answer. */
  | { readonly kind: 'truncate' }
  /** The answer before this one once more. */
  | { readonly kind: 'replay' }
  /** Whatever a hostile node may say. */
  | {
      readonly kind: 'answer';
      readonly body: string | Uint8Array;
      readonly status?: number;
      readonly contentType?: string;
    }
  /** What a function does; the socket of the response takes bytes that node:http would not send. */
  | { readonly kind: 'act'; readonly act: (response: ServerResponse, body: string) => void };

/** Faults of one frame that the node sends on a websocket. */
export type FrameFault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'duplicate' }
  /** An earlier frame once more, then this one. */
  | { readonly kind: 'replay' }
  /** The first half of the text. */
  | { readonly kind: 'truncate' }
  | { readonly kind: 'garble' }
  /** The node gives up the subscription with this reason, and sends nothing more for it. */
  | { readonly kind: 'cancel'; readonly reason: string }
  /** A frame of so many bytes instead. */
  | { readonly kind: 'oversize'; readonly bytes: number }
  /** A closing frame. */
  | { readonly kind: 'close'; readonly code: number }
  | { readonly kind: 'cut' }
  | { readonly kind: 'reset' }
  /** From here on neither frames nor pings pass, either way. */
  | { readonly kind: 'black-hole' };

/** Faults of one gRPC stream. */
export type StreamFault =
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'black-hole' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'html'; readonly status: number }
  | { readonly kind: 'too-many'; readonly retryAfter?: string }
  | { readonly kind: 'status'; readonly status: number; readonly location?: string }
  /** The stream is reset with this code of HTTP/2. */
  | { readonly kind: 'reset-stream'; readonly code: number }
  /** The connection is given up, as for too many pings. */
  | { readonly kind: 'goaway'; readonly code: number; readonly text: string }
  /** The bytes of the message are garbled, its length stays. */
  | { readonly kind: 'garble' }
  /** Half of the message under its full length, then the trailers. */
  | { readonly kind: 'truncate' }
  /** A compressed message that unpacks to so many zero bytes. */
  | { readonly kind: 'gzip-bomb'; readonly bytes: number }
  /** A message that never ends. */
  | { readonly kind: 'endless' }
  /** These bytes as the message. */
  | { readonly kind: 'answer'; readonly body: Uint8Array }
  /** What a function does. */
  | { readonly kind: 'act'; readonly act: (stream: ServerHttp2Stream) => void };

export type Fault = AnswerFault | FrameFault | StreamFault;

/** What meets the next connection, answer, frame or stream; `undefined` leaves it alone. */
export interface FaultPlan {
  /** Of a connection in `tcp` mode. */
  connection?(): ByteFault | undefined;
  /** Of a request in `http` mode, the upgrade to a websocket included. */
  answer?(request: { readonly path: string; readonly body: string }): AnswerFault | undefined;
  /** Of a frame that the node sends, in `http` mode. */
  frame?(text: string): FrameFault | undefined;
  /** Of a call in `grpc` mode. */
  stream?(path: string): StreamFault | undefined;
}

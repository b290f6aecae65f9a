import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { HeldBytes } from '../answer-budget.js';
import { leftMs, startDeadline } from '../deadline.js';
import { HubError } from '../error.js';
import type { CallLimits } from '../options.js';
import { type Place, placeText } from '../place.js';
import type { GrpcConnection } from './connection.js';
import { brokenCall, grpcError, httpAnswerError } from './error.js';
import { type MessageFault, MessageReader } from './message-reader.js';
import { UnprocessedError } from './unprocessed-error.js';

/** Request of a gRPC call. */
export interface GrpcMessage {
  /** `/<service>/<method>` as on the wire. */
  readonly path: string;
  readonly message: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface GrpcAnswer {
  /** Protobuf bytes, without the frame. */
  readonly message: Uint8Array;
  /** Value from the initial metadata, else from the trailers. */
  readonly header: (name: string) => string | undefined;
}

/**
 * One call with one message in each direction.
 *
 * @throws HubError as any call; UnprocessedError when the server certainly did not process it
 */
export async function unary(
  connection: GrpcConnection,
  sent: GrpcMessage,
  limits: CallLimits,
  place: Place,
): Promise<GrpcAnswer> {
  const deadline = startDeadline(limits, place);
  const call = new Call(limits, place);
  const stop = (): void => call.stop();
  deadline.signal.addEventListener('abort', stop, { once: true });
  try {
    if (!deadline.signal.aborted) await call.exchange(() => openStream(connection, sent, limits, place));
    const failure = deadline.failure() ?? call.failure;
    if (failure !== undefined) throw failure;
    const status = call.header('grpc-status');
    if (status === undefined) throw await brokenOrUnprocessed(connection, call, place);
    const details = percentDecoded(call.header('grpc-message') ?? '');
    if (status !== '0') throw grpcError({ code: codeOf(status), details }, place, call.header);
    return { message: await call.message(), header: call.header };
  } finally {
    deadline.signal.removeEventListener('abort', stop);
    deadline.clear();
    call.free();
  }
}

/** A response while it is received. */
class Call {
  /** Why the call was aborted. */
  failure: HubError | undefined;
  /** Error that broke its stream. */
  error: Error | undefined;
  stream: ClientHttp2Stream | undefined;
  private readonly limits: CallLimits;
  private readonly place: Place;
  private readonly held: HeldBytes;
  private readonly reader: MessageReader;
  private initial: IncomingHttpHeaders | undefined;
  private trailers: IncomingHttpHeaders | undefined;
  private ended: () => void = () => undefined;

  constructor(limits: CallLimits, place: Place) {
    this.limits = limits;
    this.place = place;
    this.held = limits.budget.open(limits.maxBytes, (reason) =>
      this.giveUp({ code: 'limit', text: `the answer is ${reason}` }),
    );
    this.reader = new MessageReader(limits.maxBytes, this.held);
  }

  /** Reads a stream until it ends or breaks, or until the call is aborted. */
  async exchange(open: () => ClientHttp2Stream): Promise<void> {
    const stream = open();
    this.stream = stream;
    await new Promise<void>((resolve) => {
      this.ended = resolve;
      stream.on('response', (headers) => {
        this.initial = headers;
        this.failure ??= httpAnswerError(headers, this.place);
        // The page of a proxy is not read.
        if (this.failure !== undefined) this.stop();
      });
      stream.on('trailers', (headers: IncomingHttpHeaders) => {
        this.trailers = headers;
      });
      stream.on('data', (part: Buffer) => {
        const fault = this.failure === undefined ? this.reader.push(part) : undefined;
        if (fault !== undefined) this.giveUp(fault);
      });
      stream.on('error', (error: Error) => {
        this.error = error;
      });
      stream.on('close', resolve);
    });
  }

  /** Value from the initial metadata, else from the trailers. */
  readonly header = (name: string): string | undefined => textOf(this.initial?.[name]) ?? textOf(this.trailers?.[name]);

  /** @throws HubError when it is incomplete, or does not decompress within the limits */
  async message(): Promise<Uint8Array> {
    const whole = this.reader.take();
    if (whole === undefined) throw faultError({ code: 'unavailable', text: 'the answer was cut short' }, this.place);
    if (!this.reader.isPacked) return whole;
    const { unpack } = await import('./unpack.js');
    const unpacked = await unpack(whole, this.header('grpc-encoding') ?? '', this.limits.maxBytes, this.held);
    if (unpacked instanceof Uint8Array) return unpacked;
    throw faultError(unpacked, this.place);
  }

  stop(): void {
    this.stream?.close(constants.NGHTTP2_CANCEL);
    // A stream of a connection that is still being established does not report its end.
    this.ended();
  }

  free(): void {
    this.held.free();
  }

  private giveUp(fault: MessageFault): void {
    this.failure ??= faultError(fault, this.place);
    this.stop();
  }
}

function openStream(
  connection: GrpcConnection,
  { path, message, metadata }: GrpcMessage,
  limits: CallLimits,
  place: Place,
): ClientHttp2Stream {
  const headers = {
    ...metadata,
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-timeout': `${Math.max(1, Math.ceil(leftMs(limits)))}m`,
  };
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  try {
    const stream = connection.session.request(headers);
    stream.end(Buffer.concat([head, message]));
    return stream;
  } catch (error) {
    // The connection ended after it was selected.
    throw new UnprocessedError(brokenCall(error, 0, connection.farewell, place));
  }
}

/**
 * Handles a call that ended without a status. The announcement of the server (GOAWAY) can arrive a moment after the
 * end.
 */
async function brokenOrUnprocessed(connection: GrpcConnection, call: Call, place: Place): Promise<Error> {
  await new Promise((resolve) => setImmediate(resolve));
  const resetCode = call.stream?.rstCode;
  const failure = brokenCall(call.error ?? connection.failure, resetCode, connection.farewell, place);
  const isRefused = resetCode === constants.NGHTTP2_REFUSED_STREAM || connection.isUnprocessed(call.stream?.id);
  return isRefused ? new UnprocessedError(failure) : failure;
}

function faultError({ code, text }: { code: HubError['code']; text: string }, place: Place): HubError {
  return new HubError({ code, message: `${placeText(place)}: ${text}`, ...place });
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function codeOf(status: string): number {
  return /^\d{1,2}$/.test(status) ? Number(status) : 2;
}

/** Bytes outside printable ASCII are written as `%XX`; a percent sign without hex digits is literal. */
function percentDecoded(text: string): string {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

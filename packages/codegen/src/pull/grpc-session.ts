import type { IncomingHttpHeaders } from 'node:http';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';

import { CodegenError } from '../codegen-error.js';
import { UnreachableError } from '../unreachable-error.js';

/** Time without data after which a call fails. */
const silenceMs = 10_000;
/** Descriptors of a whole node are about 500 kB. */
const maxMessageBytes = 16 * 2 ** 20;
const maxCallBytes = 128 * 2 ** 20;

/** A call that ended with a status other than 0. */
export class GrpcStatusError extends UnreachableError {
  readonly code: number;

  constructor(endpoint: string, path: string, code: number, message: string) {
    super(`${endpoint}: ${path}: gRPC status ${code}: ${message}`);
    this.code = code;
  }
}

/** One bidirectional call whose requests are answered in order. */
export interface GrpcCall {
  ask(request: Uint8Array): Promise<Uint8Array>;
  end(): void;
}

/** gRPC over one HTTP/2 connection, limited to the features that reflection needs. */
export class GrpcSession {
  readonly endpoint: string;
  readonly #session: ClientHttp2Session;
  #failure: Error | undefined;

  /** @param endpoint `host:port` or `http://host:port` for plain text, `https://host:port` for TLS. */
  constructor(endpoint: string) {
    this.endpoint = endpoint;
    this.#session = connect(addressOf(endpoint));
    this.#session.on('error', (cause: Error) => {
      this.#failure = cause;
    });
  }

  call(path: string): GrpcCall {
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' };
    const stream = this.#session.request(headers);
    stream.setTimeout(silenceMs, () => stream.destroy(new Error(`no answer within ${silenceMs / 1000} s`)));
    return answerInTurn(stream, (code, message, cause) =>
      code === undefined
        ? new UnreachableError(
            `${this.endpoint}: ${path}: ${(this.#failure ?? cause)?.message ?? 'the call ended early'}`,
          )
        : new GrpcStatusError(this.endpoint, path, code, message),
    );
  }

  /** One request, one response. */
  async unary(path: string, request: Uint8Array): Promise<Uint8Array> {
    const call = this.call(path);
    const answer = call.ask(request);
    call.end();
    return answer;
  }

  close(): void {
    this.#session.close();
  }
}

function addressOf(endpoint: string): string {
  const address = /^https?:\/\//.test(endpoint) ? endpoint : `http://${endpoint}`;
  if (URL.canParse(address) && /:\d+$/.test(new URL(address).host + portOf(address))) return address;
  throw new CodegenError(`${endpoint}: an endpoint is host:port, http://host:port or https://host:port`);
}

/** The URL class omits a port that is the default of its scheme. */
function portOf(address: string): string {
  return /:\d+\/?$/.test(address) && new URL(address).port === '' ? ':0' : '';
}

function statusText(header: string | string[] | undefined): string {
  try {
    return decodeURIComponent([header].flat().join(''));
  } catch {
    return [header].flat().join('');
  }
}

type Fail = (code: number | undefined, message: string, cause?: Error) => Error;

function answerInTurn(stream: ClientHttp2Stream, fail: Fail): GrpcCall {
  const waiting: { resolve: (answer: Uint8Array) => void; reject: (error: Error) => void }[] = [];
  let ended: Error | undefined;
  let buffer: Buffer = Buffer.alloc(0);
  const finish = (error: Error): void => {
    ended ??= error;
    for (const { reject } of waiting.splice(0)) reject(ended);
  };
  const readStatus = (headers: IncomingHttpHeaders): void => {
    const status = headers['grpc-status'];
    if (status === undefined) return;
    finish(fail(Number(status), statusText(headers['grpc-message'])));
  };
  stream.on('response', (headers) => {
    if (headers[':status'] === 200) readStatus(headers);
    else finish(fail(undefined, '', new Error(`HTTP status ${headers[':status']}, so this is no gRPC server`)));
  });
  stream.on('trailers', readStatus);
  stream.on('error', (cause: Error) => finish(fail(undefined, '', cause)));
  stream.on('close', () => finish(fail(undefined, '')));
  let received = 0;
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length;
    buffer = Buffer.concat([buffer, chunk]);
    if (received > maxCallBytes || (buffer.length >= 5 && buffer.readUInt32BE(1) > maxMessageBytes)) {
      stream.destroy(new Error(`a response of more than ${maxMessageBytes / 2 ** 20} MiB, or too many of them`));
      return;
    }
    while (buffer.length >= 5 && buffer.length >= 5 + buffer.readUInt32BE(1)) {
      const end = 5 + buffer.readUInt32BE(1);
      waiting.shift()?.resolve(buffer.subarray(5, end));
      buffer = buffer.subarray(end);
    }
  });
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.push({ resolve, reject });
        const head = Buffer.alloc(5);
        head.writeUInt32BE(request.length, 1);
        stream.write(Buffer.concat([head, request]));
      }),
    end: () => void stream.end(),
  };
}

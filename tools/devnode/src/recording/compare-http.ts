import type { Devnode } from '../start.js';
import type { Header } from '../servers/http/message.js';
import type { RowCheck } from './row-check.js';
import { type RawHttpAnswer, RawHttpConnection } from './raw-http.js';
import { type QueryRow, repeated, rpcBody, rpcPath, type RpcRow } from './rows.js';

const laneCount = 6;
const answerMs = 15_000;
/** How long to watch a request that was never answered, in milliseconds. */
const silenceMs = 1000;

type Listener = 'rest' | 'rpc' | 'grpcWeb';

/** Connections to the HTTP listeners of a devnode: a few shared ones for each, and separate ones for special cases. */
export class HttpLanes {
  readonly #ports: Readonly<Record<Listener, number>>;
  readonly #connections = new Map<string, RawHttpConnection>();

  constructor(devnode: Devnode) {
    const port = (address: string | undefined): number => Number(new URL(address ?? 'http://127.0.0.1:1').port);
    this.#ports = { rest: port(devnode.rest), rpc: port(devnode.rpc), grpcWeb: port(devnode.grpcWeb) };
  }

  lane(listener: Listener, key: string): string {
    let hash = 0;
    for (let i = 0; i < key.length; i++) hash = (hash * 31 + key.charCodeAt(i)) >>> 0;
    return `${listener} ${hash % laneCount}`;
  }

  connection(lane: string): RawHttpConnection {
    const known = this.#connections.get(lane);
    if (known !== undefined) return known;
    const listener = lane.split(' ')[0] as Listener;
    const fresh = new RawHttpConnection(this.#ports[listener]);
    this.#connections.set(lane, fresh);
    return fresh;
  }

  /** Closes all connections; the next request opens a new one. The server would close idle connections. */
  close(): void {
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }
}

function difference(name: string, want: unknown, got: unknown): string | undefined {
  const wanted = JSON.stringify(want ?? null);
  const received = JSON.stringify(got ?? null);
  if (wanted === received) return undefined;
  let at = 0;
  while (wanted[at] === received[at]) at++;
  const from = Math.max(0, at - 60);
  return `${name}: recorded …${wanted.slice(from, at + 120)}, got …${received.slice(from, at + 120)}`;
}

/** Headers without the two values that contain the time of the response. */
function timeless(headers: readonly Header[]): Header[] {
  return headers.map(([name, value]) => [name, name === 'Date' || name === 'X-Server-Time' ? '' : value]);
}

function requestBytes(
  method: string,
  target: string,
  version: string,
  headers: readonly Header[],
  body: Buffer,
): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`${method} ${target} ${version}\r\n${lines}\r\n`, 'latin1'), body]);
}

function has(headers: readonly Header[], name: string): boolean {
  return headers.some(([key]) => key.toLowerCase() === name);
}

/** Checks a REST, abci or gRPC-web row. */
export function compareQueryHttp(row: QueryRow, lanes: HttpLanes): RowCheck {
  const { sent, got } = row;
  const listener: Listener = row.transport === 'abci' ? 'rpc' : row.transport === 'grpc-web' ? 'grpcWeb' : 'rest';
  const target = sent.target_is === undefined ? sent.target : repeated(sent.target_is);
  const text = sent.body_is === undefined ? (sent.body ?? '') : repeated(sent.body_is);
  const body = sent.body_b64 == null ? Buffer.from(text) : Buffer.from(sent.body_b64, 'base64');
  const headers: Header[] = [['Host', 'localhost'], ...(sent.headers ?? [])];
  if (body.length > 0 || sent.method === 'POST') headers.push(['Content-Length', String(body.length)]);
  const special = got.closed_after_s !== undefined ? `${listener} idle` : undefined;
  const lane = special ?? lanes.lane(listener, `${sent.method} ${target}`);
  const bytes = requestBytes(sent.method, target, sent.version ?? 'HTTP/1.1', headers, body);
  const run = async (): Promise<string | undefined> => {
    const connection = lanes.connection(lane);
    if (got.error !== undefined) {
      const error = await connection.send(bytes, false, answerMs).then(
        ({ status }) => `answered ${status}`,
        () => undefined,
      );
      return error;
    }
    const answer = await connection.send(bytes, sent.method === 'HEAD', answerMs);
    return got.closed_after_s !== undefined ? idle(answer, connection, got.closed_after_s) : queryVerdict(row, answer);
  };
  return { row: `${row.group} ${row.transport}`, lane, run };
}

/** Checks a row that contains the number of seconds after which an idle connection was closed. */
async function idle(
  _answer: RawHttpAnswer,
  connection: RawHttpConnection,
  seconds: number,
): Promise<string | undefined> {
  const started = Date.now();
  await connection.send('', false, (seconds + 3) * 1000).catch(() => undefined);
  const took = (Date.now() - started) / 1000;
  return Math.abs(took - seconds) <= 1.5 ? undefined : `closed after: recorded ${seconds} s, got ${took} s`;
}

function queryVerdict({ sent, got, transport }: QueryRow, answer: RawHttpAnswer): string | undefined {
  const body = got.body_b64 ?? (got as { body?: string | null }).body ?? '';
  const received = got.body_b64 == null ? answer.body.toString() : answer.body.toString('base64');
  const ofBody = difference('status', got.status, answer.status) ?? difference('body', body, received);
  if (transport === 'abci' || ofBody !== undefined) return ofBody;
  const proto = (got as { proto?: string }).proto ?? 'HTTP/1.1';
  // gRPC-web rows with chunked responses were recorded without a date.
  const headers =
    transport === 'grpc-web' && !has(got.headers ?? [], 'date') ? withoutDate(answer.headers) : answer.headers;
  return (
    difference('reason', got.reason, answer.reason) ??
    difference('protocol', proto, answer.proto) ??
    difference('headers', timeless(got.headers ?? []), timeless(headers)) ??
    difference('trailers', sent.method === 'HEAD' ? null : got.trailers, answer.trailers)
  );
}

function withoutDate(headers: readonly Header[]): Header[] {
  return headers.filter(([name]) => name !== 'Date');
}

/** Checks a row from the consensus RPC, or from the gateway of the halted node. */
export function compareRpc(row: RpcRow, lanes: HttpLanes): RowCheck {
  const { request, response } = row;
  const path = rpcPath(row);
  const body = Buffer.from(rpcBody(row));
  const headers: Header[] = [...request.headers];
  if (!has(headers, 'host')) headers.unshift(['Host', 'rpc.example']);
  if (body.length > 0 && !has(headers, 'content-length')) headers.push(['Content-Length', String(body.length)]);
  const lane = lanes.lane(
    row.transport === 'rest' ? 'rest' : 'rpc',
    `${request.method} ${path} ${body.subarray(0, 2000).toString()}`,
  );
  const bytes = requestBytes(request.method, path, 'HTTP/1.1', headers, body);
  const run = async (): Promise<string | undefined> => {
    const silent = response.error?.startsWith('no answer') === true;
    const asked = lanes.connection(lane).send(bytes, request.method === 'HEAD', silent ? silenceMs : answerMs);
    if (response.error !== undefined) {
      return asked.then(
        ({ status }) => `answered ${status}, recorded ${response.error}`,
        (error: unknown) => (silent === ((error as Error).message === 'no answer') ? undefined : String(error)),
      );
    }
    return rpcVerdict(row, await asked);
  };
  return { row: `${row.id} ${row.transport}`, lane, run };
}

function rpcVerdict({ response }: RpcRow, answer: RawHttpAnswer): string | undefined {
  const text = answer.body.toString();
  const ofBody =
    response.cut === true
      ? (difference('start of the body', response.body, text.slice(0, response.body.length)) ??
        difference('characters of the body', response.body_bytes, Array.from(text).length))
      : difference('body', response.body, text);
  return (
    difference('status', response.status, answer.status) ??
    ofBody ??
    difference('headers', timeless(response.headers), timeless(answer.headers))
  );
}

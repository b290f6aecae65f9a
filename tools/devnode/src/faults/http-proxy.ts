import { once } from 'node:events';
import { createServer, type IncomingMessage, request as ask, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { AnswerFault, ByteFault, FaultPlan } from './fault.js';
import type { Committed, Target } from './target.js';
import { FaultyWriter } from './faulty-writer.js';
import { type HostileAnswer, hostileAnswer } from './hostile-answer.js';
import { relayWebsocket } from './websocket-relay.js';

interface NodeAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const byteFaults: ReadonlySet<string> = new Set<ByteFault['kind']>([
  'delay',
  'cut',
  'reset',
  'black-hole',
  'half-open',
  'garble',
  'drip',
]);

/** Forwards requests to the node and complete responses to the client; websockets are relayed frame by frame. */
export function httpProxy(target: Target, plan: FaultPlan, committed: Committed): Server {
  let previous: NodeAnswer | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const fault = plan.answer?.({ path: request.url ?? '/', body: body.toString() });
    if (fault !== undefined) committed(fault);
    const { socket } = request;
    if (fault?.kind === 'act') return fault.act(response, body.toString());
    if (fault !== undefined && !needsNode(fault)) return sendHostile(response, hostileAnswer(fault));
    const replayed = fault?.kind === 'replay' ? previous : undefined;
    const given = replayed ?? (await askNode(target, request, body, gone.signal));
    previous = given;
    if (fault === undefined || fault.kind === 'replay') return sendWhole(response, given);
    await sendFaulty(socket, given, fault);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      // The node or the client disconnected: close the other side too.
      request.socket.destroy();
    });
  });
  // The proxy keeps connections open as long as the client does; a node closes idle ones after 10 s.
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const fault = plan.answer?.({ path: request.url ?? '/', body: '' });
    if (fault?.kind === 'act') throw new Error('an upgrade has no response to act on');
    if (fault !== undefined) committed(fault);
    void upgrade(request, socket, head, fault);
  });
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer, fault: PlainFault | undefined) => {
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    else if (fault !== undefined && byteFaults.has(fault.kind))
      return void new FaultyWriter(socket, fault as ByteFault);
    else if (fault !== undefined && !needsNode(fault)) return sendRaw(socket, hostileAnswer(fault));
    relayWebsocket({ request, socket, head, target, plan, committed });
  };
  return server;
}

type PlainFault = Exclude<AnswerFault, { kind: 'act' }>;
type NeedsNode = ByteFault | Extract<AnswerFault, { kind: 'wrong-length' | 'truncate' | 'replay' }>;

function needsNode(fault: PlainFault): fault is NeedsNode {
  return byteFaults.has(fault.kind) || ['wrong-length', 'truncate', 'replay'].includes(fault.kind);
}

/** @param gone aborted when the client has disconnected, so that the node does not work for an abandoned request */
async function askNode(target: Target, request: IncomingMessage, body: Buffer, gone: AbortSignal): Promise<NodeAnswer> {
  const asked = ask({
    signal: gone,
    host: target.host,
    port: target.port,
    method: request.method,
    path: request.url,
    headers: { ...request.headers, connection: 'close', 'content-length': String(body.length) },
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  const headers = answer.rawHeaders.flatMap((name, index, all) =>
    index % 2 === 1 || /^(connection|content-length|transfer-encoding)$/i.test(name)
      ? []
      : [name, all[index + 1] ?? ''],
  );
  return { status: answer.statusCode ?? 200, headers, body: Buffer.concat(parts) };
}

function sendWhole(response: ServerResponse, { status, headers, body }: NodeAnswer): void {
  response.writeHead(status, [...headers, 'content-length', String(body.length)]);
  response.end(body);
}

async function sendHostile(response: ServerResponse, { status, headers, body }: HostileAnswer): Promise<void> {
  response.writeHead(status, headers);
  await pipeline(body, response);
}

async function sendRaw(socket: Socket, { status, headers, body }: HostileAnswer): Promise<void> {
  socket.write(headText(status, Object.entries(headers).flat()));
  await pipeline(body, socket).catch(() => undefined);
}

/** Writes the bytes of a response directly to the socket, because node:http would correct them. Then closes the connection. */
async function sendFaulty(socket: Socket, answer: NodeAnswer, fault: NeedsNode): Promise<void> {
  const body = fault.kind === 'truncate' ? answer.body.subarray(0, answer.body.length >> 1) : answer.body;
  const length = Math.max(0, body.length + (fault.kind === 'wrong-length' ? fault.by : 0));
  const head = Buffer.from(headText(answer.status, [...answer.headers, 'content-length', String(length)]));
  const ofBytes = byteFaults.has(fault.kind) ? (fault as ByteFault) : undefined;
  const whole = ofBytes?.kind === 'garble' ? { ...ofBytes, after: head.length + (ofBytes.after ?? 0) } : ofBytes;
  const writer = new FaultyWriter(socket, whole);
  await writer.write(Buffer.concat([head, body]));
  writer.end();
}

function headText(status: number, headers: readonly string[]): string {
  const lines = headers.flatMap((name, index, all) => (index % 2 === 1 ? [] : [`${name}: ${all[index + 1] ?? ''}`]));
  return `HTTP/1.1 ${status} -\r\n${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`;
}

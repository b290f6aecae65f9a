import type { Framing, Header, HttpAnswer } from './message.js';

/** Properties of a request that determine the headers of its response. */
export interface Asked {
  readonly method: string;
  readonly version: string;
  /** Value of the `Connection` header, empty if absent. */
  readonly connection: string;
}

export interface Head {
  readonly lines: readonly Header[];
  readonly framing: Framing;
}

/** Above this size the node's server starts to send before it knows the length. */
const bufferedBytes = 2048;

/** Whether the client requests that the connection is closed. */
export function wantsClose({ version, connection }: Asked): boolean {
  const tokens = connection.toLowerCase();
  return version === '1.0' ? !tokens.includes('keep-alive') : tokens.includes('close');
}

function connectionLine(answer: HttpAnswer, asked: Asked): Header[] {
  const old = asked.version === '1.0';
  if (answer.close === true || (wantsClose(asked) && !old)) return [['Connection', 'close']];
  return old && !wantsClose(asked) ? [['Connection', 'keep-alive']] : [];
}

/** Headers of a recorded response, with current times and the connection handling that this client requests. */
function recordedHead(answer: HttpAnswer, asked: Asked, nowMs: number): Head {
  const lines: Header[] = [];
  for (const [name, value] of answer.headers) {
    if (name === 'Date') lines.push([name, new Date(nowMs).toUTCString()]);
    else if (name === 'X-Server-Time') lines.push([name, String(Math.floor(nowMs / 1000))]);
    else if (name !== 'Connection') lines.push([name, value]);
  }
  const chunked = lines.findIndex(([name]) => name === 'Transfer-Encoding');
  lines.splice(chunked === -1 ? lines.length : chunked, 0, ...connectionLine(answer, asked));
  return { lines, framing: chunked === -1 ? 'none' : 'chunked' };
}

/** All headers of a response in the node's order: the handler's, date, length, connection, transfer encoding. */
export function headOf(answer: HttpAnswer, asked: Asked, length: number, nowMs: number): Head {
  if (answer.complete === true) return recordedHead(answer, asked, nowMs);
  let framing = answer.framing ?? 'auto';
  if (framing === 'auto') framing = length <= bufferedBytes || asked.method === 'HEAD' ? 'length' : 'chunked';
  if (framing === 'chunked' && asked.version === '1.0') framing = 'none';
  const lines = [...answer.headers];
  if (answer.bare !== true) lines.push(['Date', new Date(nowMs).toUTCString()]);
  if (framing === 'length') lines.push(['Content-Length', String(length)]);
  lines.push(...connectionLine(answer, asked));
  if (framing === 'chunked') lines.push(['Transfer-Encoding', 'chunked']);
  return { lines, framing };
}

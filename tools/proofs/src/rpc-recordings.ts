import { join } from 'node:path';
import { readRows, recordingsFolder } from './recordings.js';

interface RpcRow {
  readonly id: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body: string | null };
  readonly response?: { readonly status: number; readonly body: string };
}

/** Results of single calls, URI and POST, with the called method. */
export function* recordedResults(): Generator<{ id: string; method: string; result: unknown }> {
  for (const file of ['rpc.jsonl.gz', 'halted.jsonl.gz']) {
    for (const { id, request, response } of readRows<RpcRow>(join(recordingsFolder, file))) {
      const answer = jsonOf(response?.body);
      const method = request === undefined ? undefined : methodOf(request);
      // Methods of unsafe mode, which the client never calls.
      if (method === undefined || /^(?:unsafe|dial)_/.test(method)) continue;
      if (answer?.['result'] !== undefined) yield { id, method, result: answer['result'] };
    }
  }
}

function methodOf(request: NonNullable<RpcRow['request']>): string | undefined {
  const asked = jsonOf(request.body)?.['method'];
  if (request.path === '/' && typeof asked === 'string') return asked;
  return /^\/([a-z_]+)(?:\?|$)/.exec(request.path)?.[1];
}

function jsonOf(text: string | null | undefined): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text ?? '');
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Record<string, unknown>)
      : undefined;
  } catch {
    // Pages, empty bodies and deliberately malformed requests.
    return undefined;
  }
}

const readKinds: ReadonlySet<string> = new Set(['NewBlock', 'NewBlockHeader', 'Tx']);

/** Event frames of the kinds that the client subscribes to. */
export function* recordedEvents(): Generator<{ kind: string; data: unknown }> {
  const rows = readRows<{ dir: string; text?: string }>(join(recordingsFolder, 'rpc-websocket.jsonl.gz'));
  for (const { dir, text } of rows) {
    const result =
      dir === 'in' ? (jsonOf(text)?.['result'] as { data?: { type?: string } } | null | undefined) : undefined;
    const kind = result?.data?.type?.split('/').at(-1);
    if (kind !== undefined && readKinds.has(kind)) yield { kind, data: result?.data };
  }
}

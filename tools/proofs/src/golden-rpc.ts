import { join } from 'node:path';
import { publicNaming } from '@hubwatch/client';
import { type RpcMethod, readRpcResult } from '@hubwatch/client/rpc';
import { readChainEvent } from '@hubwatch/client/websocket';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { settled } from './settled.js';
import { readRows, recordingsFolder } from './recordings.js';

/** Every result of the consensus RPC that the client reads fits its shape. */
export const goldenRpc: Proof = {
  name: 'golden-rpc',
  about: 'Every recorded result and event frame of the consensus RPC is read, member by member.',
  run: (options) => settled(() => prove(options)),
};

function prove({ log }: ProofOptions): ProofOutcome {
  const counts = new Counts();
  const problems: string[] = [];
  let total = 0;
  const check = (claim: string, place: string, read: () => void): void => {
    total++;
    const problem = problemOf(read);
    counts.add(claim, problem === undefined);
    if (problem !== undefined) problems.push(`${claim}, ${place}: ${problem}`);
  };
  for (const { method, id, result } of recordedResults()) {
    // Methods of unsafe mode, which the client never calls.
    if (/^(?:unsafe|dial)_/.test(method)) continue;
    check(method, id, () => readRpcResult(method as RpcMethod, result, publicNaming));
  }
  for (const { kind, data } of recordedEvents()) {
    check(`event ${kind}`, kind, () => readChainEvent(data, publicNaming));
  }
  for (const problem of problems.slice(0, 20)) log(problem);
  return { passed: total - problems.length, total, counterExample: problems[0], figures: counts.figures() };
}

function problemOf(read: () => void): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

interface RpcRow {
  readonly id: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body: string | null };
  readonly response?: { readonly status: number; readonly body: string };
}

/** Results of single calls, URI and POST, with the method that was asked. */
function* recordedResults(): Generator<{ id: string; method: string; result: unknown }> {
  for (const file of ['rpc.jsonl.gz', 'halted.jsonl.gz']) {
    for (const { id, request, response } of readRows<RpcRow>(join(recordingsFolder, file))) {
      const answer = jsonOf(response?.body);
      const method = request === undefined ? undefined : methodOf(request);
      if (method !== undefined && answer?.['result'] !== undefined) yield { id, method, result: answer['result'] };
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
    // Pages, empty bodies and requests that are broken on purpose.
    return undefined;
  }
}

const readKinds: ReadonlySet<string> = new Set(['NewBlock', 'NewBlockHeader', 'Tx']);

/** Event frames of the kinds that the client subscribes to. */
function* recordedEvents(): Generator<{ kind: string; data: unknown }> {
  const rows = readRows<{ dir: string; text?: string }>(join(recordingsFolder, 'rpc-websocket.jsonl.gz'));
  for (const { dir, text } of rows) {
    const result =
      dir === 'in' ? (jsonOf(text)?.['result'] as { data?: { type?: string } } | null | undefined) : undefined;
    const kind = result?.data?.type?.split('/').at(-1);
    if (kind !== undefined && readKinds.has(kind)) yield { kind, data: result?.data };
  }
}

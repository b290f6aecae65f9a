import { publicNaming } from '@hubwatch/client';
import { type RpcMethod, readRpcResult } from '@hubwatch/client/rpc';
import { readChainEvent } from '@hubwatch/client/websocket';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { settled } from './settled.js';
import { recordedEvents, recordedResults } from './rpc-recordings.js';

/** Every consensus RPC result that the client decodes matches its declared shape. */
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

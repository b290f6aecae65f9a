import { join } from 'node:path';
import { HubError, publicNaming } from '@hubwatch/client';
import { readAbciResponse } from '@hubwatch/client/abci';
import { grpcError } from '@hubwatch/client/grpc';
import { readRestResponse } from '@hubwatch/client/rest';
import { Counts } from './counts.js';
import { knownMethods } from './known-methods.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { settled } from './settled.js';
import { abciResult, type ReadGroup, type ReadRow, readGroups, recordingsFolder } from './recordings.js';

/** Callers handle a refusal by its code, so the code must not depend on the transport. */
export const goldenRefusals: Proof = {
  name: 'golden-refusals',
  about: 'The same recorded refusal has the same error code over gRPC, REST and abci_query.',
  run: (options) => settled(() => prove(options)),
};

function prove({ reads, log }: ProofOptions): ProofOutcome {
  const files =
    reads === undefined ? ['reads', 'errors'].map((name) => join(recordingsFolder, `${name}.jsonl.gz`)) : [reads];
  const counts = new Counts();
  const differences: string[] = [];
  let total = 0;
  for (const file of files) {
    for (const [group, rows] of readGroups(file)) {
      const codes = codesOf(rows);
      const [first, ...others] = codes;
      if (first === undefined || others.length === 0) continue;
      total++;
      const code = first.split(' ')[1] as string;
      counts.add(code, true);
      if (others.some((other) => other.split(' ')[1] !== code)) differences.push(`${group}: ${codes.join(', ')}`);
    }
  }
  for (const difference of differences.slice(0, 20)) log(difference);
  return { passed: total - differences.length, total, counterExample: differences[0], figures: counts.figures() };
}

/** `<transport> <code>` of each refusal of one read, gRPC first; empty if gRPC did not refuse it. */
function codesOf({ grpc, rest, abci }: ReadGroup): string[] {
  const method = knownMethods.get(grpc?.neutral_method ?? '');
  if (method === undefined || grpc === undefined || !grpc.got.code) return [];
  const codes = [`grpc ${grpcError({ code: grpc.got.code, details: grpc.got.message ?? '' }, placeOf(grpc)).code}`];
  if (rest?.got.status !== undefined && rest.got.status !== 200 && !isOfGateway(rest)) {
    const answer = { status: rest.got.status, body: rest.got.body ?? '', header: () => undefined };
    codes.push(`rest ${codeOf(() => readRestResponse(method, answer, publicNaming, placeOf(rest)))}`);
  }
  const result = abciResult(abci);
  if (abci !== undefined && result !== undefined) {
    codes.push(`abci ${codeOf(() => readAbciResponse(method, result, publicNaming, placeOf(abci)))}`);
  }
  return codes;
}

/** Whether the gateway itself refused, so that the method was never called: no route, a redirect, a parameter. */
function isOfGateway({ got }: ReadRow): boolean {
  return got.status === 301 || /"Not Implemented"|type mismatch, parameter/.test(got.body ?? '');
}

function placeOf(row: ReadRow) {
  return { transport: row.transport, address: 'recorded', method: row.neutral_method };
}

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'ok';
  } catch (error) {
    return error instanceof HubError ? error.code : String(error);
  }
}

import { join } from 'node:path';
import { type ErrorCode, HubError, publicNaming } from '@hubwatch/client';
import { readAbciResponse } from '@hubwatch/client/abci';
import { grpcError } from '@hubwatch/client/grpc';
import { readRestResponse } from '@hubwatch/client/rest';
import { readRpcAnswer } from '@hubwatch/client/rpc';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { Counts } from './counts.js';
import { judgeRpc, type RpcRow } from './golden-rpc-errors.js';
import { knownMethods } from './known-methods.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { type ReadGroup, type ReadRow, readRows, recordingsFolder } from './recordings.js';
import { refusalsOverSockets } from './refusals-over-sockets.js';
import { judgeRead, judgeStatus } from './refusal-judge.js';

/** Every recorded refusal is mapped to the code expected for its case. */
export const goldenErrors: Proof = {
  name: 'golden-errors',
  about:
    'Every recorded refusal has the closed code that its case asks for, over gRPC, REST, abci_query and consensus RPC, from its bytes and over real sockets.',
  run: prove,
};

type Row = ReadRow & { readonly node: string };

async function prove({ log, reads }: ProofOptions): Promise<ProofOutcome> {
  const counts = new Counts();
  const wrong: string[] = [];
  let total = 0;
  let lost = 0;
  const compare = (name: string, transport: string, got: ErrorCode | 'ok', expected: ErrorCode): void => {
    total++;
    counts.add(`${transport} ${expected}`, got === expected);
    if (got !== expected) wrong.push(`${transport} ${name}: ${got} where ${expected} is right`);
  };
  const groups = groupsOf(reads ?? join(recordingsFolder, 'errors.jsonl.gz'));
  for (const [group, rows] of groups) {
    for (const row of rows.all) {
      const got = codeOfRow(row);
      if (got === 'no refusal') continue;
      if (row.transport === 'grpc' && losesText(row)) {
        lost++;
        log(`  ${group}: the text is lost inside Node's HTTP/2 client, classified by code ${row.got.code} alone`);
        compare(group, 'grpc, text lost,', got, judgeStatus(row.got.code));
        continue;
      }
      compare(group, row.transport, got, judgeRead(group, rows.byTransport, row));
    }
  }
  let lostOnTheWay = 0;
  if (reads === undefined) {
    for await (const { group, rows, row, code, text } of refusalsOverSockets(groups)) {
      const isLost = row.transport === 'grpc' && text === '' && row.got.message !== '';
      if (isLost) lostOnTheWay++;
      compare(
        group,
        `sockets, ${row.transport}`,
        code,
        isLost ? judgeStatus(row.got.code) : judgeRead(group, rows, row),
      );
    }
    for (const name of ['rpc', 'halted']) {
      for (const row of readRows<RpcRow>(join(recordingsFolder, `${name}.jsonl.gz`))) {
        for (const { code, expected } of judgeRpc(row)) compare(row.id, 'rpc', code, expected);
      }
    }
  }
  for (const line of wrong.slice(0, 40)) log(line);
  return {
    passed: total - wrong.length,
    total,
    counterExample: wrong[0],
    figures: { ...counts.figures(), 'rows whose text is lost': lost, 'of these met over sockets': lostOnTheWay },
  };
}

/** Whether Node's HTTP/2 client loses the text: it drops a header whose value ends with a space. */
function losesText({ got }: Row): boolean {
  return got.message?.endsWith(' ') === true;
}

function groupsOf(file: string): Map<string, { all: Row[]; byTransport: ReadGroup }> {
  const groups = new Map<string, { all: Row[]; byTransport: ReadGroup }>();
  for (const row of readRows<Row>(file)) {
    const group = groups.get(row.group) ?? { all: [], byTransport: {} };
    group.all.push(row);
    group.byTransport[row.transport] = row;
    groups.set(row.group, group);
  }
  return groups;
}

/** Error code that the client assigns to the recorded response. */
function codeOfRow(row: Row): ErrorCode | 'no refusal' {
  const method = knownMethods.get(row.neutral_method) ?? queryParams;
  const place = {
    transport: row.transport,
    address: 'recorded',
    method: row.neutral_method,
    height: row.height !== null && /^\d+$/.test(row.height) ? BigInt(row.height) : undefined,
  };
  const { got } = row;
  const answer = { status: got.status ?? 0, body: got.body ?? '', header: () => undefined };
  try {
    switch (row.transport) {
      case 'grpc':
        // A reset stream has neither code nor text: there is no refusal to read.
        if (!got.code) return 'no refusal';
        throw grpcError({ code: got.code, details: losesText(row) ? '' : (got.message ?? '') }, place);
      case 'rest':
        // No response, a preflight, or a successful response.
        if (answer.status < 300) return 'no refusal';
        readRestResponse(method, answer, publicNaming, place);
        return 'no refusal';
      case 'abci': {
        const id = (JSON.parse(answer.body === '' ? '{}' : answer.body) as { id?: number }).id ?? 0;
        const result = readRpcAnswer(answer, id, place);
        if ((result as { response?: { code?: number } }).response?.code === 0) return 'no refusal';
        readAbciResponse(method, result, publicNaming, place);
        return 'no refusal';
      }
      default:
        // gRPC-web, which this client does not support.
        return 'no refusal';
    }
  } catch (error) {
    if (error instanceof HubError) return error.code;
    throw error;
  }
}

import { publicNaming } from '@hubwatch/client';
import { writeAbciRequest } from '@hubwatch/client/abci';
import { writeGrpcRequest } from '@hubwatch/client/grpc';
import { writeRestRequest } from '@hubwatch/client/rest';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Counts } from './counts.js';
import { knownMethods } from './known-methods.js';
import type { ReadGroup, ReadRow } from './recordings.js';

/**
 * Checks that the client would have sent the recorded path, bytes and parameters on each transport. The request is
 * decoded from the bytes of the gRPC row, because the description of a request has neutral names even inside plain
 * texts.
 */
export function checkRequests(group: string, rows: ReadGroup, counts: Counts, log: (line: string) => void): void {
  const method = knownMethods.get(rows.grpc?.neutral_method ?? '');
  const message = rows.grpc?.sent.message;
  if (method === undefined || message === undefined) return;
  const form = decodeBinary(method.request, Buffer.from(message, 'base64'), publicNaming) as object;
  for (const row of Object.values(rows)) {
    const difference = compareRequest(method, form, row);
    counts.add(`${row.transport} request as recorded`, difference === undefined);
    if (difference !== undefined) log(`${row.transport} request of ${group}: ${difference}`);
  }
}

function compareRequest(method: AnyMethod, form: object, row: ReadRow): string | undefined {
  const height = row.height === null ? undefined : BigInt(row.height);
  switch (row.transport) {
    case 'grpc': {
      const { path, message, metadata } = writeGrpcRequest(method, form, height, publicNaming);
      return unequal(
        [path, Buffer.from(message).toString('base64'), metadata],
        [row.sent.path, row.sent.message, row.sent.metadata],
      );
    }
    case 'abci': {
      const { path, data, height: asked } = writeAbciRequest(method, form, height, publicNaming);
      const { params } = JSON.parse(row.sent.body ?? '{}') as { params: Record<string, unknown> };
      return unequal([path, data, asked ?? '0'], [params['path'], params['data'], params['height'] ?? '0']);
    }
    default: {
      const sent = writeRestRequest(method, form, height, publicNaming);
      if (sent.body !== undefined) return undefined;
      return unequal(parametersOf(sent.target), parametersOf(row.sent.target ?? ''));
    }
  }
}

/** Path and parameters in a canonical order; a zero parameter is equivalent to an absent one. */
export function parametersOf(target: string): unknown {
  const url = new URL(target, 'http://node');
  const parameters = [...url.searchParams].filter(([, value]) => value !== '0' && value !== '' && value !== 'false');
  return [decodeURIComponent(url.pathname), parameters.map((pair) => pair.join('=')).sort()];
}

function unequal(ours: unknown, recorded: unknown): string | undefined {
  const [one, other] = [JSON.stringify(ours), JSON.stringify(recorded)];
  return one === other ? undefined : `${one} where ${other} was sent`;
}

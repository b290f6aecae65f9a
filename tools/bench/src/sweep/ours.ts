import { pages, publicNaming } from '@hubwatch/client';
import { createGrpcTransport } from '@hubwatch/client/grpc';
import { queryLeases } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import type { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import { measure } from './measure.js';

const pageSize = 250;

await measure(async (address) => {
  const grpc = createGrpcTransport({ address, naming: publicNaming });
  let [sessions, leases, nodes, bytes, ids] = [0, 0, 0, 0n, 0n];
  for await (const { items } of pages(grpc, querySessions, {}, { pageSize })) {
    for (const { value } of items) {
      sessions++;
      bytes += BigInt((value as Session).baseSession?.downloadBytes ?? '0');
    }
  }
  for await (const { items } of pages(grpc, queryLeases, {}, { pageSize })) {
    leases += items.length;
    for (const { id } of items) ids += id;
  }
  for await (const { items } of pages(grpc, queryNodes, {}, { pageSize })) nodes += items.length;
  await grpc.close();
  return { sessions, leases, nodes, bytes: String(bytes), ids: String(ids) };
});

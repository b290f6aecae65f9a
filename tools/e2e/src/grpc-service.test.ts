import { credentials, makeGenericClientConstructor, Metadata } from '@grpc/grpc-js';
import { connect, publicNaming } from '@hubwatch/client';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { queryServiceDefinition, queryServiceName } from '@hubwatch/types/gen/grpc/hub/session/v3/query-service';
import { querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { withNaming } from '@hubwatch/types/runtime/grpc-service';
import { afterAll, beforeAll, expect, it } from 'vitest';

let node: Devnode;
beforeAll(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none' });
});
afterAll(() => node.close());

it('grpc service: a grpc-js client of the definition reads the same from a node as our client', async () => {
  const Sessions = makeGenericClientConstructor(withNaming(queryServiceDefinition, publicNaming), queryServiceName);
  const client = new Sessions(node.grpc, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set(publicNaming.headerToWire('x-stack-block-height'), '902350');
  const answer = await new Promise((resolve, reject) => {
    client['querySessions']?.({}, metadata, (error: Error | null, value: unknown) =>
      error === null ? resolve(value) : reject(error),
    );
  });
  client.close();
  const hub = connect({ grpc: node.grpc });
  const { message } = await hub.grpc.call(querySessions, {}, { height: 902_350n });
  await hub.close();
  expect(message.sessions.length).toBeGreaterThan(0);
  expect(answer).toEqual(message);
});

import {
  Client,
  credentials,
  makeGenericClientConstructor,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serverReflectionDefinition } from '../gen/grpc/grpc/reflection/v1alpha/server-reflection.js';
import { queryServiceDefinition, queryServiceName } from '../gen/grpc/hub/node/v3/query-service.js';
import { queryServiceDefinition as sessionDefinition } from '../gen/grpc/hub/session/v3/query-service.js';
import { Status } from '../gen/forms/hub/types/v1/status.js';
import { allMethods } from '../gen/methods/all.js';
import { publicProfile } from '../gen/naming/public.js';
import { withNaming } from './grpc-service.js';
import { createNaming } from './naming-profile.js';

const naming = createNaming(publicProfile);

/** Calls a method of a generic client by its name. */
function call(client: Client, name: string, request: object): Promise<unknown> {
  const method = (
    client as unknown as Record<string, (request: object, done: (error: Error | null, answer: unknown) => void) => void>
  )[name];
  return new Promise((resolve, reject) => {
    method?.call(client, request, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

describe('grpc-js', () => {
  const server = new Server();
  const seen: unknown[] = [];
  let address: string;

  beforeAll(async () => {
    const queryNodes: UntypedHandleCall = (
      asked: { request: unknown },
      done: (error: null, answer: object) => void,
    ) => {
      seen.push(asked.request);
      done(null, { nodes: [{ address: 'sentnode1', status: Status.STATUS_ACTIVE }] });
    };
    // By its name in the proto file, which grpc-js accepts too.
    const QuerySession: UntypedHandleCall = (_asked: unknown, done: (error: null, answer: object) => void) => {
      done(null, { session: { typeUrl: '/hub.node.v3.Session', value: { baseSession: { id: 2n ** 63n } } } });
    };
    server.addService(withNaming(queryServiceDefinition, naming), { queryNodes });
    server.addService(withNaming(sessionDefinition, naming), { QuerySession });
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    address = `127.0.0.1:${port}`;
  });
  afterAll(() => {
    server.forceShutdown();
  });

  test('grpc service: a generic client calls a server of the same definition, with forms on both sides', async () => {
    const Nodes = makeGenericClientConstructor(withNaming(queryServiceDefinition, naming), queryServiceName);
    const client = new Nodes(address, credentials.createInsecure());
    const answer = await call(client, 'queryNodes', { status: Status.STATUS_ACTIVE, pagination: { limit: 3n } });
    expect(seen.at(-1)).toMatchObject({ status: 1, pagination: { limit: 3n, offset: 0n } });
    expect(answer).toMatchObject({ nodes: [{ address: 'sentnode1', status: 1, inactiveAt: undefined }] });
    await expect(call(client, 'queryNode', { address: 'x' })).rejects.toMatchObject({ code: 12 });
    client.close();
  });

  test('grpc service: makeUnaryRequest accepts path and codecs, and type URLs are wire names on the wire', async () => {
    const { querySession } = withNaming(sessionDefinition, naming);
    const client = new Client(address, credentials.createInsecure());
    const answers = await Promise.all(
      [querySession.responseDeserialize, (bytes: Uint8Array) => bytes].map(
        (read) =>
          new Promise<unknown>((resolve, reject) => {
            client.makeUnaryRequest<object, unknown>(
              querySession.path,
              querySession.requestSerialize,
              read,
              { id: 5n },
              (error, value) => (error ? reject(error) : resolve(value)),
            );
          }),
      ),
    );
    const [form, bytes] = answers;
    expect(form).toMatchObject({ session: { value: { baseSession: { id: 2n ** 63n } } } });
    expect(Buffer.from(bytes as Uint8Array).toString('latin1')).toContain(naming.typeToWire('/hub.node.v3.Session'));
    client.close();
  });

  test('grpc service: every method once, neutral until a naming is applied, a stream as a stream', async () => {
    const definitions: ServiceDefinition[] = [];
    const folder = new URL('../gen/grpc/', import.meta.url);
    const { readdir } = await import('node:fs/promises');
    for (const file of (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))) {
      const module = (await import(new URL(file, folder).href)) as Record<string, unknown>;
      for (const [name, value] of Object.entries(module)) {
        if (name.endsWith('Definition')) definitions.push(value as ServiceDefinition);
      }
    }
    const paths = definitions.flatMap((definition) => Object.values(definition).map(({ path }) => path));
    expect([...paths].sort()).toEqual(allMethods.map(({ service, name }) => `/${service}/${name}`).sort());
    const { serverReflectionInfo } = serverReflectionDefinition;
    expect([serverReflectionInfo.requestStream, serverReflectionInfo.responseStream]).toEqual([true, true]);
    expect(queryServiceDefinition.queryNodes).toMatchObject({ requestStream: false, responseStream: false });
  });

  test('grpc service: the types are those of grpc-js', () => {
    // Compiles only if the definition fits; the value is checked above.
    const definition: ServiceDefinition = queryServiceDefinition;
    // @ts-expect-error a node has no such member
    queryServiceDefinition.queryNode.requestSerialize({ adress: 'x' });
    expect(Object.keys(definition)).toContain('queryNode');
  });
});

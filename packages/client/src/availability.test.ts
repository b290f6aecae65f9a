import { allMethods } from '@hubwatch/types/gen/methods/all';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
import { queryParams } from '@hubwatch/types/gen/methods/hub/provider/v2/query-service';
import { allServices } from '@hubwatch/types/gen/services/all';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGrpc, startHttp } from '../test/servers.js';
import { type Connection, connect } from './connect.js';
import { createClient } from './create-client.js';
import type { HubError } from './error.js';
import { publicNaming } from './naming/public.js';

let asked = 0;
let connection: Connection<{ grpc: string; rest: string; rpc: string }>;
const closing: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  const http = await startHttp((_, __, response) => {
    asked++;
    response.end('{}');
  });
  const grpc = await startGrpc(() => {
    asked++;
    return { status: 13 };
  });
  connection = connect({ grpc: grpc.address, rest: http.url, rpc: http.url, naming: publicNaming });
  closing.push(http, grpc, connection);
});
afterAll(async () => {
  for (const open of closing.reverse()) await open.close();
});

/** Makes a call as plain JavaScript would, with any object as the request. */
async function refusal(kind: 'grpc' | 'rest' | 'abci', method: AnyMethod): Promise<HubError | undefined> {
  const call = (connection[kind].call as (method: AnyMethod, request: object) => Promise<unknown>)(method, {});
  return call.then(
    () => undefined,
    (error: unknown) => error as HubError,
  );
}

describe('availability', () => {
  it('every unserved pair of method and transport: fails with not_served and the reason, and sends no request', async () => {
    let pairs = 0;
    for (const method of allMethods) {
      for (const kind of ['grpc', 'rest', 'abci'] as const) {
        const entry = method.availability[kind];
        if (entry.served) continue;
        pairs++;
        const error = await refusal(kind, method);
        expect([method.service, method.name, kind, error?.code]).toEqual([
          method.service,
          method.name,
          kind,
          'not_served',
        ]);
        expect(error?.message).toContain(entry.reason);
      }
    }
    expect(pairs).toBeGreaterThan(40);
    expect(asked).toBe(0);
  });

  it('service objects: refuse each of these pairs with the same sentence, also for whole lists', async () => {
    type Call = (() => Promise<unknown>) & { readonly collect?: () => Promise<unknown> };
    const codes: unknown[] = [];
    for (const service of allServices) {
      const methods = service.methods as Readonly<Record<string, AnyMethod>>;
      for (const kind of ['grpc', 'rest', 'abci'] as const) {
        const client = createClient(service, connection[kind]) as Readonly<Record<string, Call>>;
        for (const [name, { availability }] of Object.entries(methods)) {
          const entry = availability[kind];
          if (entry.served) continue;
          const { [name]: call } = client;
          const refused = { code: 'not_served', message: expect.stringContaining(entry.reason) as string };
          await expect(call?.()).rejects.toMatchObject(refused);
          if (call?.collect !== undefined) await expect(call.collect()).rejects.toMatchObject(refused);
          codes.push(kind);
        }
      }
    }
    expect(codes.length).toBe(
      allMethods.flatMap(({ availability }) => Object.values(availability).filter(({ served }) => !served)).length,
    );
    expect(asked).toBe(0);
  });

  it('provider.v2 QueryParams and plan.v3 over REST: the error names the replacement', async () => {
    expect((await refusal('grpc', queryParams))?.message).toContain('hub.provider.v3');
    expect((await refusal('rest', queryPlans))?.message).toMatch(/gRPC|abci/);
  });

  it('the same calls in TypeScript: do not compile', async () => {
    // @ts-expect-error -- the parameter has the sentence as its type
    await expect(connection.grpc.call(queryParams, {})).rejects.toMatchObject({ code: 'not_served' });
    // @ts-expect-error -- likewise
    await expect(connection.rest.call(queryPlans, {})).rejects.toMatchObject({ code: 'not_served' });
  });
});

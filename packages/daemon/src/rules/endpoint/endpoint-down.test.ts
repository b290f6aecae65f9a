import { expect, test } from 'vitest';
import { fakeEndpoint, statusResult } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import { endpointStatus } from '../../checks/endpoint/endpoint-status.js';
import { createObservations } from '../../observations/observations.js';
import { pollJob } from '../../observations/poller.js';
import type { RuleView } from '../rule.js';
import { allEndpointsDown } from './all-endpoints-down.js';
import { endpointDown } from './endpoint-down.js';
import { ownNodeDown } from './own-node-down.js';

test('endpoint down: a websocket over which nothing is heard is told by itself; one that is open does not hide a node that is down', async () => {
  const fake = fakeEndpoint(['grpc', 'rest', 'rpc']);
  fake.queries['hub.node.v3.QueryService/QueryParams'] = {};
  fake.rpc['status'] = statusResult(100n, 1_800_000_000_000);
  const parts = testParts({ own: fake }, { roles: { own: 'own' } });
  const observations = createObservations([endpointStatus], parts.config);
  const judge = async () => {
    await pollJob(endpointStatus, { ...parts, observations }, () => undefined).run(parts.signal);
    const view = { config: parts.config, observations } as unknown as RuleView;
    return [endpointDown, ownNodeDown, allEndpointsDown].map((rule) => rule.evaluate(view)[0]);
  };
  const states = (verdicts: Awaited<ReturnType<typeof judge>>) => verdicts.map((verdict) => verdict?.state);
  parts.pool.setListening('own', { isOn: true });
  expect(states(await judge())).toEqual(['ok', 'ok', 'ok']);
  parts.pool.setListening('own', { isOn: false, reason: 'http', text: 'no websocket here' });
  const muted = await judge();
  expect(states(muted)).toEqual(['firing', 'ok', 'ok']);
  expect(muted[0]?.title).toBe('own: no answer over websocket');
  expect(muted[0]?.text).toContain('- websocket: http: no websocket here\n');
  expect(muted[0]?.text).toContain('set `websocket: false` for the endpoint');
  parts.pool.setListening('own', { isOn: true });
  fake.rpc['status'] = undefined;
  fake.queries['hub.node.v3.QueryService/QueryParams'] = undefined;
  expect(states(await judge())).toEqual(['firing', 'firing', 'firing']);
});

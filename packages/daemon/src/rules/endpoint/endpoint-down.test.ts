import { expect, test } from 'vitest';
import { fakeEndpoint, statusResult } from '../../../test/fake-endpoint.js';
import { testConfig, testParts } from '../../../test/parts.js';
import { verdictsOf, viewOf } from '../../../test/rule-view.js';
import { endpointStatus } from '../../checks/endpoint/endpoint-status.js';
import { createObservations } from '../../observations/observations.js';
import { pollJob } from '../../observations/poller.js';
import type { RuleView } from '../rule.js';
import { allEndpointsDown } from './all-endpoints-down.js';
import { endpointDown } from './endpoint-down.js';
import { ownNodeDown } from './own-node-down.js';

test('endpoint down: a websocket without messages is reported separately; an open one does not hide a node that is down', async () => {
  const fake = fakeEndpoint(['grpc', 'rest', 'rpc']);
  fake.queries['hub.node.v3.QueryService/QueryParams'] = {};
  fake.rpc['status'] = statusResult(100n, 1_800_000_000_000);
  const parts = testParts({ own: fake }, { roles: { own: 'own' } });
  const observations = createObservations([endpointStatus], parts.config);
  const judge = async () => {
    await pollJob(endpointStatus, { ...parts, observations }, () => undefined).run(parts.signal);
    const view = { config: parts.config, observations } as unknown as RuleView;
    return [endpointDown, ownNodeDown, allEndpointsDown].map((rule) => verdictsOf(rule, view)[0]);
  };
  const states = (verdicts: Awaited<ReturnType<typeof judge>>) => verdicts.map((verdict) => verdict?.state);
  expect(states(await judge())).toEqual(['unknown', 'ok', 'ok']);
  parts.pool.setListening('own', { isOn: true });
  expect(states(await judge())).toEqual(['ok', 'ok', 'ok']);
  // It reconnects: there is no evidence of a failure.
  parts.pool.setListening('own', { isOn: false, reason: 'refused', text: 'closed', failures: 1 });
  expect(states(await judge())).toEqual(['unknown', 'ok', 'ok']);
  parts.pool.setListening('own', { isOn: false, reason: 'http', text: 'no websocket here', failures: 2 });
  const muted = await judge();
  expect(states(muted)).toEqual(['firing', 'ok', 'ok']);
  expect(muted[0]?.title).toBe('own: no answer over websocket');
  expect(muted[0]?.text).toContain('- websocket: no websocket here\n');
  expect(muted[0]?.text).toContain('set `websocket: false` for the endpoint');
  parts.pool.setListening('own', { isOn: true });
  fake.rpc['status'] = undefined;
  fake.queries['hub.node.v3.QueryService/QueryParams'] = undefined;
  expect(states(await judge())).toEqual(['firing', 'firing', 'firing']);
});

test('endpoint down: a recovery states which transports respond, and each transport has its own reason in plain words', () => {
  const config = testConfig(['own'], '', { own: 'own' });
  const down = (reason: string, text: string) => ({ state: 'no_answer', reason, text });
  const rest = down('refused', 'rest 127.0.0.1:1317: the naming is not known: grpc 127.0.0.1:9090: reflection failed');
  const at = (grpc: unknown, rpc: unknown) =>
    viewOf({ config, readings: [[endpointStatus, 'own', { grpc, rest, rpc }]] });
  const grpc = down('timeout', 'no answer in 5000 ms');
  const [back] = verdictsOf(ownNodeDown, at(grpc, { state: 'known', value: {} }));
  expect(back).toMatchObject({ state: 'ok', title: 'own: answers over RPC; still no answer over gRPC, REST' });
  const [some] = verdictsOf(allEndpointsDown, at(grpc, { state: 'known', value: {} }));
  expect(some?.text).toBe('- own: answers over RPC; still no answer over gRPC, REST');
  const [all] = verdictsOf(allEndpointsDown, at(grpc, down('refused', 'ECONNREFUSED 127.0.0.1:26657')));
  expect(all?.text).toContain(
    'own\n- gRPC: no answer in time\n- REST: the connection is refused or fails\n- RPC: the connection is refused or fails'.replaceAll(
      '\n',
      '\n',
    ),
  );
  expect(all?.text).not.toContain('9090');
  expect(all?.text).not.toContain('reflection');
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { Source } from './document-checks.js';
import { proveDocument, readSource } from './document-rows.js';

const quiet = (): void => undefined;

describe('document-rows', () => {
  let source: Source;
  beforeAll(async () => {
    source = await readSource();
  });

  it('documented behaviour: every row of the tables is in the spec', () => {
    const { passed, total, counterExample, figures } = proveDocument(source, quiet);
    expect(counterExample).toBeUndefined();
    expect(passed).toBe(total);
    expect(figures).toMatchObject({
      rows: 191,
      'rows of records': '10 of 10',
      'rows of node status': '5 of 5',
      'rows of grpc': '43 of 43',
      'rows of routes': '47 of 47',
      'rows of framework': '8 of 8',
      'rows of heights': '2 of 2',
      'rows of rpc': '21 of 21',
      'rows of configuration': '5 of 5',
      'rows of authentication': '2 of 2',
      'rows of events': '5 of 5',
      'rows of errors': '13 of 13',
      'rows of limits': '12 of 12',
      'rows of versions': '18 of 18',
    });
  });

  it('rows where the node differs: logged with both values', () => {
    const lines: string[] = [];
    const { figures } = proveDocument(source, (line) => void lines.push(line));
    expect(lines).toHaveLength(Number(figures?.['rows where the node says more or other than the document']));
    expect(lines.find((line) => line.startsWith('limits: page size'))).toContain('"over":["grpc","rest","abci"]');
  });

  /** Returns the source with one value replaced. */
  function changed(path: readonly string[], value: unknown): Source {
    const copy = structuredClone(source) as unknown as Record<string, unknown>;
    let place = copy;
    for (const name of path.slice(0, -1)) place = place[name] as Record<string, unknown>;
    const last = path.at(-1) as string;
    expect(place, path.join(' ')).toHaveProperty([last]);
    if (value === undefined) Reflect.deleteProperty(place, last);
    else place[last] = value;
    return copy as unknown as Source;
  }

  const nodes = ['spec', 'availability', 'services', 'hub.node.v3.QueryService'];
  it.each<[string, readonly string[], unknown, string]>([
    ['a service left out', nodes, undefined, 'grpc: services, hub.node.v3.QueryService: the spec has no such service'],
    [
      'a method that is served',
      [...nodes, 'QueryNode', 'rest'],
      'hub-plan-v3-rest',
      'routes: methods, hub.node.v3.QueryService',
    ],
    [
      'a method that is not',
      ['spec', 'availability', 'services', 'hub.plan.v3.QueryService', 'QueryPlan', 'rest'],
      'served',
      'routes: methods, hub.plan.v3.QueryService QueryPlan',
    ],
    ['a fact left out', ['facts', 'limits', 'broadcast_commit_wait'], undefined, 'limits: broadcast commit'],
    ['a fact said otherwise', ['facts', 'lists', 'default_page_size', 'documented', 'value'], 50, 'limits: page size'],
    [
      'a fact of another clause',
      ['facts', 'lists', 'default_page_size', 'documented', 'clause'],
      'limits: total',
      'limits: page size',
    ],
    ['an error row left out', ['spec', 'errors', 'rows', 'swagger'], undefined, 'errors: swagger page'],
    ['a parameter left out', ['spec', 'rpc', 'methods', 'tx_search', 'params'], [], 'rpc: methods, tx_search'],
    [
      'a result left out',
      ['spec', 'rpc', 'shapes', 'SyncInfo', 'earliest_block_height'],
      undefined,
      'rpc: methods, status',
    ],
    ['an encoding', ['spec', 'rpc', 'encodings', 'bytes', 'uri'], 'base64', 'rpc: methods, tx'],
    ['a paged method', ['facts', 'lists', 'methods', 'hub.lease.v1.QueryService'], {}, 'paged methods'],
    ['an event without its hook', ['spec', 'events', 'emitted', 'hub.lease.v1.EventPay'], undefined, 'events of hub'],
    [
      'an event from another hook',
      ['spec', 'events', 'emitted', 'hub.lease.v1.EventPay'],
      { tx: ['hub.lease.v1.MsgStartLeaseRequest'] },
      'recorded events of hub from the hook that the spec names: hub.lease.v1.EventPay at begin of a block',
    ],
    [
      'a route not mounted',
      ['spec', 'availability', 'unmounted_routes', 'hub.plan.v3.QueryService/QueryPlan'],
      '/x',
      'routes: methods',
    ],
  ])('%s: reported as the counter-example', (_, path, value, message) => {
    const { passed, total, counterExample } = proveDocument(changed(path, value), quiet);
    expect(counterExample).toContain(message);
    expect(passed).toBeLessThan(total);
  });
});

import { expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { runCli } from '../cli.js';
import type { OpenApiDocument } from './document.js';

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const streams = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await runCli(['openapi', '--root', repositoryRoot, ...args], repositoryRoot, streams);
  return { code, out, err };
}

test('openapi: an enum in a query is a number, although the published document of the network lists names', async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  const document = JSON.parse(out) as OpenApiDocument;
  const nodes = document.paths['/hub/node/v3/nodes']?.['get'] as { parameters: readonly object[] };
  expect(nodes.parameters).toContainEqual({
    name: 'status',
    in: 'query',
    description: '0 unspecified, 1 active, 2 inactive_pending, 3 inactive',
    schema: {
      type: 'integer',
      format: 'int32',
      'x-numbers': { unspecified: 0, active: 1, inactive_pending: 2, inactive: 3 },
    },
  });
  expect(nodes.parameters).toContainEqual({ $ref: '#/components/parameters/Height' });
  expect(nodes.parameters).toContainEqual({
    name: 'pagination.limit',
    in: 'query',
    schema: { type: 'string', format: 'uint64', pattern: '^[0-9]{1,20}$' },
  });
});

test('openapi: routes that the gateway does not serve are omitted, and a defect of a list is described', async () => {
  const { paths } = JSON.parse((await run()).out) as OpenApiDocument;
  expect(Object.keys(paths).filter((path) => path.startsWith('/hub/plan/v3'))).toEqual([]);
  expect(paths['/hub/node/v3/plans/{id}/nodes']?.['get']).toMatchObject({
    description: expect.stringMatching(/^Known defect: no next_key without a key/) as string,
  });
});

test('openapi: uses the names of the network with its profile, and no other profile is known', async () => {
  const named = await run('--profile', 'public');
  expect(named.code).toBe(0);
  const { paths, components } = JSON.parse(named.out) as OpenApiDocument;
  expect(Object.keys(paths).filter((path) => /^\/(?:hub|stack|stackwasm)\//.test(path))).toEqual([]);
  expect(Object.keys(components['schemas'] ?? {}).filter((name) => /^(?:hub|stack|bft)\./.test(name))).toEqual([]);
  const other = await run('--profile', 'other');
  expect([other.out, other.code]).toEqual(['', 2]);
  expect(other.err).toMatch(/--profile other: the spec holds the naming profile public, no other/);
});

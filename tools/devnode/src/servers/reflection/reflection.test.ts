import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnode, startDevnode } from '../../start.js';

const buf = fileURLToPath(new URL('../../../../../node_modules/.bin/buf', import.meta.url));
const options = ['curl', '--protocol', 'grpc', '--http2-prior-knowledge', '--reflect-protocol', 'grpc-v1alpha'];

describe('reflection', () => {
  let devnode: Devnode;
  beforeAll(async () => {
    devnode = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', shiftTo: 'none', from: 901900 });
  });
  afterAll(() => devnode.close());
  const curl = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)(buf, [...options, ...args])).stdout;

  it('buf: lists the 41 services in byte order of their public names', async () => {
    const services = (await curl('--list-services', `http://${devnode.grpc}`)).trim().split('\n');
    expect(services.length).toBe(41);
    expect(services).toEqual([...services].sort());
    expect(services[0]).toBe('cosmos.auth.v1beta1.Query');
  });

  it('buf: compiles the descriptors from reflection and calls a method by its public name', async () => {
    const url = `http://${devnode.grpc}/sentinel.lease.v1.QueryService/QueryLease`;
    const answer = JSON.parse(await curl('-d', '{"id":"4"}', url)) as { lease: { id: string; hours: string } };
    expect(answer.lease.id).toBe('4');
  });
});

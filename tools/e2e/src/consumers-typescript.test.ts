import {
  type Compiler,
  type Consumer,
  compilers,
  makeConsumer,
  type Packed,
  pack,
  type Platform,
  published,
  type Published,
  type Resolution,
  resolutions,
  typeCheck,
} from '@hubwatch/bench/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readmePrograms } from './readme-programs.js';

const cases = Object.keys(compilers).flatMap((compiler) =>
  resolutions.map((resolution) => [compiler as Compiler, resolution] as const),
);

let packed: Packed;
const consumers: Consumer[] = [];
const consumer = async (packages: readonly Published[], thirdParty: readonly string[]): Promise<Consumer> => {
  const made = await makeConsumer(packed, { packages, thirdParty });
  consumers.push(made);
  return made;
};

/** Imports all entries of a package, so that every published declaration is checked. */
function everyEntry(name: Published, leaveOut?: RegExp): string {
  const entries = packed.tarballs[name].files
    .map(({ path }) => /^dist\/(.*)\.d\.ts$/.exec(path)?.[1])
    .filter((path): path is string => path !== undefined && (name === 'types' || /^(?:\w+\/)?index$/.test(path)))
    .map((path) => (path === 'index' ? '' : `/${name === 'types' ? path : path.replace('/index', '')}`))
    .filter((path) => leaveOut?.test(path) !== true);
  return entries.map((path, index) => `export * as ${name}${index} from '@hubwatch/${name}${path}';\n`).join('');
}

/** Imports the entries of all proto packages, by the names in the manifest. */
function protoPackages(): string {
  const entries = packed.tarballs.types.files.flatMap(
    ({ path }) => /^dist\/gen\/entries\/(.*)\.d\.ts$/.exec(path)?.[1] ?? [],
  );
  return entries.map((entry, index) => `export * as entry${index} from '@hubwatch/types/${entry}';\n`).join('');
}

function writePrograms(to: Consumer, name: Published): void {
  for (const [index, { code }] of readmePrograms(name).entries()) to.write(`${name}-${index}.ts`, code);
}

beforeAll(async () => {
  packed = await pack(published);
});
afterAll(() => {
  for (const each of consumers) each.remove();
  packed.remove();
});

describe('typescript: consumers check with skipLibCheck off', () => {
  let inBrowser: Consumer;
  let inNode: Consumer;
  let tools: Consumer;

  beforeAll(async () => {
    // A browser has neither Node's types nor the gRPC and websocket packages.
    inBrowser = await consumer(['types', 'client'], []);
    const types = everyEntry('types') + protoPackages();
    expect(types.split('\n').length).toBeGreaterThan(300);
    inBrowser.write('types.ts', types);
    inBrowser.write('client.ts', everyEntry('client', /^\/(?:grpc|websocket)$/));
    inBrowser.write('served.ts', served);
    inBrowser.write('services.ts', services);
    inNode = await consumer(['types', 'client'], ['ws', '@types/ws', '@types/node', 'undici-types']);
    inNode.write('client.ts', everyEntry('client'));
    for (const name of ['types', 'client'] as const) writePrograms(inNode, name);
    tools = await consumer(['types', 'client', 'codegen', 'daemon'], ['@types/node', 'undici-types']);
    for (const name of ['codegen', 'daemon'] as const) writePrograms(tools, name);
  });

  const errors = async (of: Consumer, compiler: Compiler, resolution: Resolution, platform: Platform) => {
    const { code, text } = await typeCheck(of, { compiler, resolution, platform });
    return { code, errors: text.split('\n').filter((line) => line !== '') };
  };
  const none = { code: 0, errors: [] };

  it.each(cases)('TypeScript %s, %s: every entry for browsers', async (compiler, resolution) => {
    expect(await errors(inBrowser, compiler, resolution, 'browser')).toEqual(none);
  });

  it.each(cases)(
    'TypeScript %s, %s: every entry of the client in Node, readme programs',
    async (compiler, resolution) => {
      expect(await errors(inNode, compiler, resolution, 'node')).toEqual(none);
    },
  );

  it.each(Object.keys(compilers) as Compiler[])(
    'TypeScript %s, nodenext: codegen and daemon, readme programs',
    async (compiler) => {
      expect(await errors(tools, compiler, 'nodenext', 'node')).toEqual(none);
    },
  );

  it.each(cases)(
    'TypeScript %s, %s: a call of an unserved method is an error that states the reason',
    async (compiler, resolution) => {
      inBrowser.write('served.ts', served.replace('abci.call(queryPlans', 'rest.call(queryPlans'));
      inBrowser.write('services.ts', services.replaceAll('PlanQuery, abci', 'PlanQuery, rest'));
      const { code, errors: lines } = await errors(inBrowser, compiler, resolution, 'browser');
      inBrowser.write('served.ts', served);
      inBrowser.write('services.ts', services);
      expect(code).not.toBe(0);
      const found = lines.filter((line) => line.includes('error TS'));
      expect(found.map((line) => line.slice(0, line.indexOf('('))).sort()).toEqual([
        'served.ts',
        'services.ts',
        'services.ts',
        'services.ts',
      ]);
      for (const line of found)
        expect(line).toMatch(/QueryPlans has no REST route.*call it over gRPC or abci_query instead/);
    },
  );
});

const served = `import { connect } from '@hubwatch/client';
import { queryPlans } from '@hubwatch/types/gen/methods/hub/plan/v3/query-service';
const { rest, abci } = connect({ rest: 'http://127.0.0.1:1317', rpc: 'http://127.0.0.1:26657' });
export const kinds = [rest.kind, abci.kind];
export const plans = abci.call(queryPlans, { status: 1 });
`;

const services = `import { type Collected, connect, createClient, type ServiceClient } from '@hubwatch/client';
import { connectPool } from '@hubwatch/client/pool';
import { type Node, NodeQuery } from '@hubwatch/types/hub/node/v3';
import { PlanQuery } from '@hubwatch/types/hub/plan/v3';
import { type AnySessionI, SessionQuery } from '@hubwatch/types/hub/session/v3';
const { rest, abci } = connect({ rest: 'http://127.0.0.1:1317', rpc: 'http://127.0.0.1:26657' });
export const params = createClient(PlanQuery, abci).queryPlans();
export const plans = createClient(PlanQuery, abci).queryPlans({ status: 1 });
export const allPlans = createClient(PlanQuery, abci).queryPlans.collect();

export class Nodes {
  readonly client = createClient(NodeQuery, rest);
  readonly pooled: ServiceClient<typeof NodeQuery, 'rest'> | undefined = createClient(NodeQuery, connectPool([]).rest);
  collect = (status?: number): Promise<Collected<Node>> =>
    this.client.queryNodes.collect(status === undefined ? {} : { status }, { height: 5n });
  async first(address: string | undefined): Promise<string | undefined> {
    for await (const { items } of this.client.queryNodes.pages()) return items[0]?.address;
    const { message, height } = await this.client.queryNode({ address });
    return height === undefined ? undefined : message.node.address;
  }
}

export async function prices(): Promise<string[]> {
  const { items } = await createClient(SessionQuery, abci).querySessions.collect();
  return items.map(priceOf);
}

function priceOf(session: AnySessionI): string {
  switch (session.typeUrl) {
    case '/hub.node.v3.Session':
      return session.value.price.quoteValue;
    case '/hub.subscription.v3.Session':
      return String(session.value.subscriptionId);
    default:
      return session.typeUrl;
  }
}
`;

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Consumer,
  makeConsumer,
  type Packed,
  pack,
  published,
  type Published,
  runProgram,
  workspace,
} from '@hubwatch/bench/consumers';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readmePrograms, withAddresses } from './readme-programs.js';

const program = (name: string): string => join(workspace, 'node_modules/.bin', name);

/** Script of a command, from the manifest. */
function binOf(name: Published, command: string): string {
  const file = join(workspace, 'packages', name, 'package.json');
  const { bin } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bin: Readonly<Record<string, string>> };
  return join('node_modules/@hubwatch', name, bin[command] ?? '');
}

let packed: Packed;
beforeAll(async () => {
  packed = await pack(published);
});
afterAll(() => {
  packed.remove();
});

describe.each(published)('tarball of %s', (name) => {
  it('publint: strict, without messages', async () => {
    const ran = await runProgram(program('publint'), ['run', packed.tarballs[name].file, '--strict'], workspace);
    expect(ran, ran.text).toMatchObject({ code: 0 });
  });

  it('attw: every entry resolves, with its types, from ESM and from bundlers', async () => {
    const { file } = packed.tarballs[name];
    const ran = await runProgram(program('attw'), [file, '--profile', 'esm-only', '--no-color'], workspace);
    expect(ran, ran.text).toMatchObject({ code: 0 });
  });

  it('files: readme, licence and build output; no tests, no build state, no map without its source', () => {
    const paths = new Set(packed.tarballs[name].files.map(({ path }) => path));
    for (const file of ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts'])
      expect(paths).toContain(file);
    const wrong = [...paths].filter((path) => {
      if (/\.test\.|\.tsbuildinfo$|\.reports|\/test\//.test(path)) return true;
      const source = /^dist\/(.*)\.(?:js|d\.ts)\.map$/.exec(path)?.[1];
      if (source !== undefined) return !paths.has(`src/${source}.ts`);
      return !/^(?:bin|dist|hub|src|schema)\/|^(?:README\.md|LICENSE|package\.json)$/.test(path);
    });
    expect(wrong).toEqual([]);
  });

  it('licence: the same text as in the workspace', () => {
    const read = (folder: string): string => readFileSync(join(workspace, folder, 'LICENSE'), 'utf8');
    expect(read(join('packages', name))).toBe(read('.'));
  });
});

it('client: the websocket package is an optional peer; dependencies are types, hashes and encodings', () => {
  const manifest = JSON.parse(readFileSync(join(workspace, 'packages/client/package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly peerDependencies: Readonly<Record<string, string>>;
    readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
  };
  expect(Object.keys(manifest.dependencies)).toEqual(['@hubwatch/types', '@noble/hashes', '@scure/base']);
  for (const name of Object.keys(manifest.peerDependencies))
    expect([name, manifest.peerDependenciesMeta[name]?.optional]).toEqual([name, true]);
  expect(Object.keys(manifest.peerDependencies)).toEqual(['ws']);
});

describe('consumers in Node', () => {
  let node: Devnode;
  const consumers: Consumer[] = [];
  const consumer = async (packages: readonly Published[], thirdParty: readonly string[] = []): Promise<Consumer> => {
    const made = await makeConsumer(packed, { packages, thirdParty });
    consumers.push(made);
    return made;
  };

  beforeAll(async () => {
    node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none' });
  });
  afterAll(async () => {
    for (const each of consumers) each.remove();
    await node.close();
  });

  it('types and client alone: every file can be imported; REST, abci and gRPC answer', async () => {
    const { write, node: run } = await consumer(['types', 'client']);
    const files = (name: 'types' | 'client'): string[] =>
      packed.tarballs[name].files
        .map(({ path }) => path)
        .filter((path) => path.endsWith('.js') && !/^dist\/(?:grpc|websocket)\//.test(path))
        .map((path) => `./node_modules/@hubwatch/${name}/${path}`);
    write(
      'all.mjs',
      `import { connect } from '@hubwatch/client';
       import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
       const files = ${JSON.stringify([...files('types'), ...files('client')])};
       for (const file of files) await import(file);
       const hub = connect(${JSON.stringify({ grpc: node.grpc, rest: node.rest, rpc: node.rpc })});
       for (const kind of ['rest', 'abci', 'grpc']) {
         try {
           console.log(kind, (await hub[kind].call(queryNodes, {})).message.nodes.length);
         } catch (error) {
           console.log(kind, error.message);
         }
       }
       console.log('imported', files.length > 300);`,
    );
    const ran = await run('all.mjs');
    expect(ran.text).toBe('rest 12\nabci 12\ngrpc 12\nimported true\n');
    expect(ran.code).toBe(0);
  });

  it('types: every proto package has an entry that exports all of its generated code', async () => {
    const entries = packed.tarballs.types.files.flatMap(
      ({ path }) => /^dist\/gen\/entries\/(.*)\.js$/.exec(path)?.[1] ?? [],
    );
    const { write, node: run } = await consumer(['types']);
    write(
      'entries.mjs',
      `for (const entry of ${JSON.stringify(entries)}) await import('@hubwatch/types/' + entry);
       const { NodeQuery, queryNodes, msgRegisterNode, EventCreate, Node } = await import('@hubwatch/types/hub/node/v3');
       console.log(NodeQuery.methods.queryNodes === queryNodes, msgRegisterNode.typeUrl, EventCreate.name, Node.name);
       const { anySessionI, SessionQuery } = await import('@hubwatch/types/hub/session/v3');
       console.log(Object.keys(anySessionI).length, SessionQuery.name);`,
    );
    const ran = await run('entries.mjs');
    expect(ran.text).toBe(
      'true /hub.node.v3.MsgRegisterNodeRequest hub.node.v3.EventCreate hub.node.v3.Node\n2 hub.session.v3.QueryService\n',
    );
    expect(entries.length).toBeGreaterThan(60);
  });

  const needs: Readonly<Record<Published, { packages: readonly Published[]; thirdParty: readonly string[] }>> = {
    types: { packages: ['types'], thirdParty: [] },
    client: { packages: ['types', 'client'], thirdParty: [] },
    codegen: { packages: ['codegen'], thirdParty: [] },
    daemon: { packages: ['types', 'client', 'daemon'], thirdParty: [] },
  };

  it.each(published)('readme of %s: its programs print the documented output', async (name) => {
    const programs = readmePrograms(name);
    expect(programs.length).toBeGreaterThan(0);
    const { write, node: run } = await consumer(needs[name].packages, needs[name].thirdParty);
    for (const [index, { title, code, output }] of programs.entries()) {
      const { code: script } = await transform(withAddresses(code, node), { loader: 'ts', format: 'esm' });
      write(`program-${index}.mjs`, script);
      const ran = await run(`program-${index}.mjs`);
      expect([title, ran.text, ran.code]).toEqual([title, withAddresses(output, node), 0]);
    }
  });

  it('commands: hubwatch and hubwatch-codegen start from their tarballs, and the configuration in the readme is valid', async () => {
    const daemon = await consumer(['types', 'client', 'daemon'], []);
    const readme = readFileSync(join(workspace, 'packages/daemon/README.md'), 'utf8');
    daemon.write('hubwatch.yml', /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? '');
    const checked = await daemon.node(binOf('daemon', 'hubwatch'), 'check-config', 'hubwatch.yml');
    expect(checked).toEqual({
      code: 0,
      text: 'hubwatch.yml: ok. Endpoints: 1, nodes: 1, providers: 0, accounts: 0, notices: none\n',
    });
    const codegen = await consumer(['codegen'], []);
    const help = await codegen.node(binOf('codegen', 'hubwatch-codegen'), '--help');
    expect(help.code, help.text).toBe(0);
    expect(help.text).toContain('hubwatch-codegen');
  });
});

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  type Consumer,
  makeConsumer,
  must,
  type Packed,
  pack,
  type PublicPackage,
  publicPackage,
  runProgram,
  workspace,
} from '@hubwatch/bench/consumers';
import { publicNaming } from '@hubwatch/client';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { readGroups } from '@hubwatch/proofs/recordings';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { fromJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePrograms, withAddresses } from './readme-programs.js';

const program = (name: string): string => join(workspace, 'node_modules/.bin', name);

let made: PublicPackage;
let packed: Packed<'types' | 'client'>;
let tarball: string;

// As documented: generate, then let npm build and pack the files to publish.
beforeAll(async () => {
  packed = await pack(['types', 'client']);
  made = await publicPackage();
  await must('npm', ['pack', '--pack-destination', made.folder], made.folder);
  const { version } = JSON.parse(readFileSync(join(made.folder, 'package.json'), 'utf8')) as { version: string };
  tarball = join(made.folder, `hubwatch-types-public-${version}.tgz`);
});
afterAll(() => {
  packed.remove();
});

describe('public package: the tarball', () => {
  it('publint: strict, without messages', async () => {
    const ran = await runProgram(program('publint'), ['run', tarball, '--strict'], workspace);
    expect(ran, ran.text).toMatchObject({ code: 0 });
  });

  it('attw: every entry resolves, with its types, from ESM and from bundlers', async () => {
    const ran = await runProgram(program('attw'), [tarball, '--profile', 'esm-only', '--no-color'], workspace);
    expect(ran, ran.text).toMatchObject({ code: 0 });
  });
});

describe('public package: consumers', () => {
  let node: Devnode;
  let consumer: Consumer;

  beforeAll(async () => {
    node = await startDevnode({ mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none' });
    consumer = await makeConsumer(packed, { packages: ['types', 'client'], thirdParty: [] });
    const target = join(consumer.folder, 'node_modules', made.name);
    mkdirSync(target, { recursive: true });
    await must('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], consumer.folder);
  });
  afterAll(async () => {
    consumer.remove();
    await node.close();
  });

  it('readme: its programs print the documented output, one of them with plain fetch in five lines', async () => {
    const programs = pagePrograms(join(made.folder, 'README.md'));
    expect(programs).toHaveLength(2);
    expect(
      programs[0]?.code
        .trim()
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(5);
    for (const [index, { title, code, output }] of programs.entries()) {
      const { code: script } = await transform(withAddresses(code, node), { loader: 'ts', format: 'esm' });
      consumer.write(`program-${index}.mjs`, script);
      const ran = await consumer.node(`program-${index}.mjs`);
      expect([title, ran.text, ran.code]).toEqual([title, output, 0]);
    }
  });

  it('client: uses methods of both packages over every transport, and selects the naming automatically', async () => {
    const service = publicNaming.typeToWire('hub/session/v3/query-service').replaceAll('.', '/');
    consumer.write(
      'both.mjs',
      `import { connect } from '@hubwatch/client';
       import { querySessions as neutral } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
       import { querySessions as burnt } from '${made.name}/gen/methods/${service}';
       const hub = connect(${JSON.stringify({ grpc: node.grpc, rest: node.rest, rpc: node.rpc })});
       for (const kind of ['grpc', 'rest', 'abci']) {
         for (const method of [neutral, burnt]) {
           const { message, height } = await hub[kind].call(method, {}, { height: 902350n });
           const kinds = new Set(message.sessions.map(({ typeUrl, value }) => typeUrl + ' ' + typeof value));
           console.log(kind, height ?? 'unknown', message.sessions.length > 0, ...kinds);
         }
       }
       await hub.close();`,
    );
    const ran = await consumer.node('both.mjs');
    const known = ['/hub.node.v3.Session', '/hub.subscription.v3.Session'];
    const shown = (urls: readonly string[]): string => urls.map((url) => `${url} object`).join(' ');
    const lines = ['grpc', 'rest', 'abci'].flatMap((kind) => [
      `${kind} 902350n true ${shown(known)}`,
      `${kind} 902350n true ${shown(known.map((url) => publicNaming.typeToWire(url)))}`,
    ]);
    expect(ran.text.trim().split('\n')).toEqual(lines);
  });
});

type Form = Readonly<Record<string, unknown>>;

/** Converts a form of the neutral package to the public one: type URLs and member names. */
function asPublic(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPublic);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      publicNaming.memberToWire(name),
      name === 'typeUrl' ? publicNaming.typeToWire(member as string) : asPublic(member),
    ]),
  );
}

describe('public package: recorded reads', () => {
  it('golden reads: the same forms without a naming, and encoded again the bytes and text of the node', async () => {
    const module = pathToFileURL(join(made.folder, 'dist/gen/methods/all.js')).href;
    const { allMethods: burnt } = (await import(module)) as { allMethods: readonly AnyMethod[] };
    const nameOf = ({ service, name }: AnyMethod): string => `${service}/${name}`;
    const burntByName = new Map(burnt.map((method) => [nameOf(method), method]));
    const neutralByName = new Map(allMethods.map((method) => [nameOf(method), method]));
    const counts = { forms: 0, bytes: 0, texts: 0, paths: 0, rows: 0, answers: 0 };
    for (const { grpc, rest } of readGroups().values()) {
      const neutral = neutralByName.get(grpc?.neutral_method ?? '');
      if (grpc?.got.code !== 0 || neutral === undefined || neutral.service.startsWith('grpc.reflection.')) continue;
      const method = burntByName.get(publicNaming.typeToWire(nameOf(neutral)));
      if (method === undefined) throw new Error(`${nameOf(neutral)} has no counterpart`);
      counts.rows++;
      const bytes = Buffer.from(grpc.got.body ?? '', 'base64');
      const form = decodeBinary(method.response, bytes) as Form;
      if (isDeepStrictEqual(form, asPublic(decodeBinary(neutral.response, bytes, publicNaming)))) counts.forms++;
      if (Buffer.from(encodeBinary(method.response, form)).equals(bytes)) counts.bytes++;
      if (grpc.sent.path === `/${nameOf(method)}`) counts.paths++;
      if (rest?.got.status !== 200 || grpc.unpinned) continue;
      counts.answers++;
      const body = rest.got.body ?? '';
      const read = fromJson(method.response, JSON.parse(body)) as Form;
      if (toGatewayJson(method.response, read) === body) counts.texts++;
    }
    // 163 forms contain names inside texts. This package keeps the network's words there, and comparing the bytes shows
    // that this is right.
    expect(counts).toEqual({ rows: 2806, forms: 2643, bytes: 2806, paths: 2806, answers: 2301, texts: 2301 });
  });
});

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../test/copied-root.js';
import { runCli } from './cli.js';
import { compileProtos } from './load/compile-protos.js';
import { readOutput } from './output.js';
import { readProject } from './project/find-project.js';
import { configName } from './project/project.js';

const fixture = join(repositoryRoot, 'packages/codegen/fixtures/weather');
const config = `descriptors: api.binpb
spec: spec
output: gen
lock: lock.json
naming: naming.json
runtime: '@hubwatch/types/runtime'
emitters: [forms, any, methods, rest, registry]
`;
const naming = JSON.stringify({ profile: 'sea', segments: { package: { weather: 'climate' } }, json_members: {} });
const lists = `methods:
  weather.v1.ForecastService:
    GetForecast: { items: alternatives }
`;

/** A way to damage a file. */
type Damage = (bytes: Buffer) => Buffer;

/** Positions and lengths are fractions of the file, so that one kind of damage applies to every file. */
const share = fc.double({ min: 0, max: 1, noNaN: true });
const snippets = [
  '',
  ' ',
  '\n',
  ':',
  '- ',
  '{',
  '}',
  '[',
  '"',
  '*a',
  '&a ',
  '!!binary ',
  '<<: ',
  '~',
  '0',
  '-1',
  '1e999',
  'true',
  'served',
  '__proto__: 1\n',
  'constructor',
  '\u0000',
  '\ufeff',
  'é',
];
const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, share).map(
    ([from, length]): Damage =>
      (bytes) => {
        const at = Math.floor(from * bytes.length);
        return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + Math.floor(length ** 4 * bytes.length))]);
      },
  ),
  fc.tuple(share, fc.constantFrom(...snippets)).map(
    ([from, text]): Damage =>
      (bytes) => {
        const at = Math.floor(from * bytes.length);
        return Buffer.concat([bytes.subarray(0, at), Buffer.from(text), bytes.subarray(at)]);
      },
  ),
  fc.tuple(share, fc.integer({ min: 0, max: 255 })).map(
    ([from, byte]): Damage =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        copy[Math.floor(from * (bytes.length - 1))] = byte;
        return copy;
      },
  ),
  // A line is moved, or one word is replaced by another.
  fc.tuple(share, share).map(
    ([from, to]): Damage =>
      (bytes) => {
        const lines = bytes.toString('latin1').split('\n');
        const [line = ''] = lines.splice(Math.floor(from * (lines.length - 1)), 1);
        lines.splice(Math.floor(to * lines.length), 0, line);
        return Buffer.from(lines.join('\n'), 'latin1');
      },
  ),
  fc.tuple(share, fc.constantFrom('null', '[]', '{}', '7', 'nope', '""')).map(
    ([from, text]): Damage =>
      (bytes) => {
        const words = bytes.toString('latin1').split(/(\b[\w./-]+\b)/);
        const at = Math.floor((from * (words.length - 1)) / 2) * 2 + 1;
        if (at < words.length) words[at] = text;
        return Buffer.from(words.join(''), 'latin1');
      },
  ),
);

describe('damaged inputs', () => {
  let folder: string;
  const at = (path: string): string => join(folder, path);

  const run = async (...args: string[]) => {
    let [out, err] = ['', ''];
    const code = await runCli(args, folder, { out: (text) => (out += text), err: (text) => (err += text) });
    return { code, out, err };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-corrupt-'));
    cpSync(join(fixture, 'spec'), at('spec'), { recursive: true });
    const set = await compileProtos([join(fixture, 'proto'), join(fixture, 'third_party')]);
    writeFileSync(at('api.binpb'), toBinary(FileDescriptorSetSchema, set));
    writeFileSync(at('naming.json'), naming);
    writeFileSync(at('spec/lists.yaml'), lists);
    writeFileSync(at(configName), config);
    const made = await run('generate', '--lock');
    expect(made.err).toBe('');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    [configName, 60],
    ['spec/availability.yaml', 60],
    ['spec/any.yaml', 60],
    ['spec/lists.yaml', 40],
    ['naming.json', 40],
    ['lock.json', 40],
    ['api.binpb', 80],
  ])(
    'damaged %s: reported in words with the file, or harmless; never a stack, never partial output',
    async (path, numRuns) => {
      const whole = readFileSync(at(path));
      const output = () => readOutput({ ...readProjectOfConfig(), output: 'gen' });
      let before = await output();
      try {
        await fc.assert(
          fc.asyncProperty(damage, async (spoil) => {
            writeFileSync(at(path), spoil(whole));
            // Without the lock, which would reject every change before the file is read.
            const args = path === 'lock.json' || path === configName ? [] : ['--check', '--config', 'unlocked.yml'];
            writeFileSync(at('unlocked.yml'), config.replace('lock: lock.json\n', ''));
            const { code, out, err } = await run('generate', ...args);
            if (code === 0) {
              // Harmless damage; a changed configuration may select another output or fewer files.
              if (path === configName) cleanUp();
              before = await output();
              return;
            }
            expect([1, 2]).toContain(code);
            expect(out).toBe('');
            expect(err).not.toMatch(/^\s+at /m);
            if (args.length === 0) {
              expect(err).toMatch(/^hubwatch-codegen: \S/);
              expect(await output()).toEqual(before);
            } else if (code === 2) {
              expect(err).toMatch(/^hubwatch-codegen: \S/);
              // Descriptors that do not match a fact of the spec are reported with the line of the spec.
              expect(err).toMatch(
                path === 'api.binpb'
                  ? /api\.binpb|descriptors|spec\/\w+\.yaml|weather\/|google\/|\.proto/
                  : new RegExp(path.replace('.', '\\.')),
              );
            }
          }),
          { numRuns },
        );
      } finally {
        writeFileSync(at(path), whole);
        cleanUp();
      }
    },
  );

  const readProjectOfConfig = () => ({ ...readProject(repositoryRoot), folder });

  function cleanUp(): void {
    rmSync(at('src'), { recursive: true, force: true });
  }
});

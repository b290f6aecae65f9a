import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  create,
  createFileRegistry,
  equals,
  type FileRegistry,
  fromBinary,
  fromJson as fromOracleJson,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import {
  type Compiler,
  type Consumer,
  compilers,
  makeConsumer,
  type Packed,
  pack,
  resolutions,
  typeCheck,
  workspace,
} from '@hubwatch/bench/consumers';
import { compileProtos } from '@hubwatch/codegen';
import type * as binary from '@hubwatch/types/runtime/binary';
import type * as gateway from '@hubwatch/types/runtime/json';
import type * as standard from '@hubwatch/types/runtime/proto-json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { build } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageArbitrary } from './foreign-messages.js';

const fixture = join(workspace, 'packages/codegen/fixtures/weather');
const program = 'node_modules/@hubwatch/codegen/dist/main.js';

/** Generated files below a folder, with content. */
function contents(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** A module that imports every generated file. */
function everything(folder: string, gen: string): string {
  const paths = [...contents(join(folder, gen)).keys()].map((path) => path.replace(/\.ts$/, '.js'));
  return paths.map((path, index) => `export * as m${index} from './${gen}/${path}';\n`).join('');
}

describe('proto files of an unrelated project', () => {
  let packed: Packed<'types' | 'codegen'>;
  let consumer: Consumer;

  beforeAll(async () => {
    packed = await pack(['types', 'codegen']);
    consumer = await makeConsumer(packed, { packages: ['types', 'codegen'] });
    cpSync(fixture, consumer.folder, { recursive: true });
    writeFileSync(join(consumer.folder, 'plain.yml'), 'protos: [proto, third_party]\noutput: src/plain\n');
  });
  afterAll(() => {
    consumer.remove();
    packed.remove();
  });

  it('tarball: generates with a spec and without one, and is then up to date', async () => {
    for (const config of ['hubwatch-codegen.yml', 'plain.yml']) {
      const made = await consumer.node(program, 'generate', '--config', config);
      expect(made, made.text).toMatchObject({ code: 0 });
      expect(made.text).toMatch(/^src\/\w+: \d+ written; \d+ files from 11 protos, 3 services, 11 methods/);
      const checked = await consumer.node(program, 'generate', '--check', '--config', config);
      expect(checked, checked.text).toMatchObject({ code: 0 });
      expect(checked.text).toContain('up to date');
    }
    const methods = contents(join(consumer.folder, 'src/gen')).get('methods/weather/v1/http-admin.ts');
    expect(methods).toContain(
      "'weather.v1.HTTPAdmin Import is retired since summer; call weather.v1.ForecastService GetForecast over gRPC or REST instead.'",
    );
    for (const text of contents(join(consumer.folder, 'src')).values()) expect(text).not.toMatch(/\bhub\.|\bstack\./);
  });

  it.each(
    Object.keys(compilers).flatMap((compiler) => resolutions.map((resolution) => [compiler, resolution] as const)),
  )('TypeScript %s, %s: all generated code compiles under strict rules', async (compiler, resolution) => {
    consumer.write('gen.ts', everything(consumer.folder, 'src/gen'));
    consumer.write('plain.ts', everything(consumer.folder, 'src/plain'));
    consumer.write('use.ts', use);
    const options = { compiler: compiler as Compiler, resolution, platform: 'browser' } as const;
    expect(await typeCheck(consumer, options)).toEqual({ code: 0, text: '' });
  });

  it('availability: the compiler rejects a call that the spec does not serve, with the documented sentence', async () => {
    consumer.write('use.ts', use.replace("watch, 'grpc'", "watch, 'abci'"));
    const { code, text } = await typeCheck(consumer, { compiler: '7', resolution: 'nodenext', platform: 'browser' });
    expect(code).not.toBe(0);
    expect(text).toContain('weather.v1.ForecastService Watch is not a query of a chain; call it over gRPC instead.');
  });

  it('emitters: [messages] generates plain ts-proto messages, which compile and decode their own bytes with their stock runtime', async () => {
    writeFileSync(
      join(consumer.folder, 'wire.yml'),
      'protos: [proto, third_party]\noutput: src/wire\nemitters: [messages]\n',
    );
    const made = await consumer.node(program, 'generate', '--config', 'wire.yml');
    expect(made, made.text).toMatchObject({ code: 0 });
    const files = contents(join(consumer.folder, 'src/wire'));
    const runtime = [...files.values()].flatMap((text) =>
      [...text.matchAll(/from "(@[^"]+)"/g)].map(([, name]) => name),
    );
    expect([...new Set(runtime)]).toEqual(['@bufbuild/protobuf/wire']);
    consumer.write('wire.ts', everything(consumer.folder, 'src/wire'));
    consumer.write('use.ts', use);
    for (const compiler of ['5.9', '7'] as const)
      expect(await typeCheck(consumer, { compiler, resolution: 'nodenext', platform: 'browser' })).toEqual({
        code: 0,
        text: '',
      });
    const bundled = join(consumer.folder, 'wire.mjs');
    await build({
      stdin: {
        contents: `import { Place } from './src/wire/messages/weather/v1/forecast.js';
const bytes = Uint8Array.of(10, 2, 0x48, 0x69);
const place = Place.decode(bytes);
console.log(place.where?.value, Buffer.from(Place.encode(place).finish()).equals(Buffer.from(bytes)));`,
        resolveDir: consumer.folder,
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      outfile: bundled,
    });
    expect(await consumer.node('wire.mjs')).toMatchObject({ code: 0, text: 'Hi true\n' });
    rmSync(join(consumer.folder, 'wire.ts'));
  });

  it('output: byte-equal from shuffled descriptors, in another folder, in another locale', async () => {
    const set = await compileProtos([join(fixture, 'proto'), join(fixture, 'third_party')]);
    const other = mkdtempSync(join(tmpdir(), 'hubwatch-other-'));
    cpSync(fixture, other, { recursive: true });
    const shuffled = create(FileDescriptorSetSchema, { file: [...set.file].reverse() });
    writeFileSync(join(other, 'set.binpb'), toBinary(FileDescriptorSetSchema, shuffled));
    const spec = join(other, 'spec/availability.yaml');
    const [head = '', ...parts] = readFileSync(spec, 'utf8').split(/(?=^\w)/m);
    writeFileSync(spec, [...parts.reverse(), head].join(''));
    for (const locale of ['tr_TR.UTF-8', 'de_DE.UTF-8']) {
      rmSync(join(other, 'src'), { recursive: true, force: true });
      process.env['LANG'] = process.env['LC_ALL'] = locale;
      const made = await consumer.node(program, 'generate', '--root', other, '--descriptors', join(other, 'set.binpb'));
      expect(made, made.text).toMatchObject({ code: 0 });
      expect(contents(join(other, 'src/gen'))).toEqual(contents(join(consumer.folder, 'src/gen')));
    }
    delete process.env['LANG'];
    delete process.env['LC_ALL'];
    rmSync(other, { recursive: true });
  });

  it('openapi: contains the content of the proto files, and no chain-specific names', async () => {
    const { code, text } = await consumer.node(program, 'openapi');
    expect(code).toBe(0);
    const { info, paths } = JSON.parse(text) as {
      info: { title: string };
      paths: Record<string, Record<string, unknown>>;
    };
    expect(info.title).toBe('REST gateway');
    expect(
      Object.entries(paths)
        .map(([path, verbs]) => `${Object.keys(verbs).join()} ${path}`)
        .sort(),
    ).toEqual([
      'delete /v1/reports/{id}',
      'get /v1/forecasts/{day}',
      'get /v1/{place.station}/forecasts/{day}',
      'post /v1/reports',
      'put /v1/reports/{report.id}',
    ]);
    expect(text).not.toMatch(/\bhub\b|stack|[Bb]lock-height/);
  });

  it('without buf: explains the alternative, and works with descriptors', async () => {
    const buf = join(consumer.folder, 'node_modules/@bufbuild/buf');
    const set = await compileProtos([join(fixture, 'proto'), join(fixture, 'third_party')]);
    consumer.write('api.binpb', '');
    writeFileSync(join(consumer.folder, 'api.binpb'), toBinary(FileDescriptorSetSchema, set));
    renameSync(buf, `${buf}-away`);
    try {
      const refused = await consumer.node(program, 'generate', '--output', 'src/new');
      expect(refused.code).toBe(2);
      expect(refused.text).toMatch(
        /^hubwatch-codegen: buf, .* is not installed: npm install --save-dev @bufbuild\/buf\. Or .*--descriptors/,
      );
      const checked = await consumer.node(program, 'generate', '--check', '--descriptors', 'api.binpb');
      expect(checked, checked.text).toMatchObject({ code: 0 });
    } finally {
      renameSync(`${buf}-away`, buf);
    }
  });

  describe('codecs of the generated tables compared with protobuf-es', () => {
    let oracle: FileRegistry;
    let ours: typeof binary &
      typeof gateway &
      typeof standard & {
        readonly messageNames: readonly string[];
        readonly messageByName: (name: string) => MessageTable | undefined;
      };

    beforeAll(async () => {
      oracle = createFileRegistry(await compileProtos([join(fixture, 'proto'), join(fixture, 'third_party')]));
      const runtime = ['binary', 'json', 'proto-json'].map(
        (name) => `export * from '@hubwatch/types/runtime/${name}';`,
      );
      consumer.write('codecs.ts', [...runtime, "export * from './src/gen/registry.js';"].join('\n'));
      const outfile = join(consumer.folder, 'codecs.mjs');
      const entryPoints = [join(consumer.folder, 'codecs.ts')];
      await build({ entryPoints, bundle: true, format: 'esm', platform: 'node', outfile, logLevel: 'silent' });
      ours = (await import(pathToFileURL(outfile).href)) as typeof ours;
      rmSync(join(consumer.folder, 'codecs.ts'));
    });

    const own = (): string[] => ours.messageNames.filter((name) => name.startsWith('weather.'));

    it('every message, random content: decodes bytes from protobuf-es, and encodes them so that they decode to the same message', () => {
      expect(own().length).toBeGreaterThan(20);
      for (const name of own()) {
        const desc = oracle.getMessage(name);
        const table = ours.messageByName(name);
        if (!desc || !table) throw new Error(name);
        fc.assert(
          fc.property(messageArbitrary(desc), (message) => {
            const form = ours.decodeBinary(table, toBinary(desc, message));
            expect(equals(desc, fromBinary(desc, ours.encodeBinary(table, form)), message)).toBe(true);
          }),
          { numRuns: 40 },
        );
      }
    });

    it('every message, random content: protobuf-es reads its standard JSON, and it is unchanged after a round trip', () => {
      // Wrapper messages have a special JSON form that the runtime does not write.
      for (const name of own().filter((each) => !/\.(Forecast)$/.test(each))) {
        const desc = oracle.getMessage(name);
        const table = ours.messageByName(name);
        if (!desc || !table) throw new Error(name);
        fc.assert(
          fc.property(messageArbitrary(desc), (message) => {
            const form = ours.decodeBinary(table, toBinary(desc, message));
            const json = ours.toProtoJson(table, form);
            const read = fromOracleJson(desc, JSON.parse(json) as never, { registry: oracle });
            expect(equals(desc, read, message)).toBe(true);
            expect(
              ours.decodeBinary(table, ours.encodeBinary(table, ours.fromProtoJson(table, JSON.parse(json)))),
            ).toEqual(form);
          }),
          { numRuns: 25 },
        );
      }
    });

    it('presence: an optional zero is present and an absent one is not, over binary and both JSON dialects', () => {
      const table = ours.messageByName('weather.v1.Forecast') as MessageTable;
      const absent = ours.decodeBinary(table, new Uint8Array()) as Record<string, unknown>;
      expect(absent).toMatchObject({ stationCount: undefined, remark: undefined, seal: undefined, unit: undefined });
      const zero = { ...absent, stationCount: 0n, remark: '', unit: 0 };
      expect([...ours.encodeBinary(table, zero)]).toEqual([0x40, 0, 0x4a, 0, 0x58, 0]);
      expect(ours.decodeBinary(table, ours.encodeBinary(table, zero))).toEqual(zero);
      expect(JSON.parse(ours.toProtoJson(table, zero))).toEqual({
        stationCount: '0',
        remark: '',
        unit: 'UNIT_UNSPECIFIED',
      });
      expect(ours.toGatewayJson(table, absent)).not.toContain('station_count');
      expect(ours.fromJson(table, JSON.parse(ours.toGatewayJson(table, zero)))).toEqual(zero);
    });
  });
});

const use = `import { watch, getForecast } from './src/gen/methods/weather/v1/forecast-service.js';
import { Reading_Quality } from './src/gen/forms/weather/v1/forecast.js';
import type { RestRoutes } from './src/gen/rest/routes.js';
import type { RequestOf, ResponseOf, TransportKind } from '@hubwatch/types/runtime/method';
declare function call<M, K extends TransportKind>(method: M, over: K, request: RequestOf<M, K>): ResponseOf<M>;
const { stationCount, place, bySensor, detail } = call(getForecast, 'rest', { place: { where: { $case: 'here', value: true } }, day: 2 });
export const count: bigint | undefined = stationCount;
export const altitude = place?.where?.$case === 'coordinates' ? place.where.value.altitude : undefined;
export const good: boolean = bySensor['a']?.quality === Reading_Quality.QUALITY_FINE;
export const hail = detail?.typeUrl === '/weather.v1.Hail' && detail.value !== undefined;
export const path: RestRoutes['GET /v1/{place.station=stations/*}/forecasts/{day}']['path'] = { 'place.station': 'stations/1', day: 3 };
export const streamed = call(watch, 'grpc', { detailed: false });
`;

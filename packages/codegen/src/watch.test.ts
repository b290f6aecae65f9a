import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { runCli } from './cli.js';
import { configName } from './project/project.js';

const silent = { out: () => undefined, err: () => undefined };

describe('generate --watch', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hubwatch-watch-'));
    expect(await runCli(['init'], folder, silent)).toBe(0);
    const config = readFileSync(join(folder, configName), 'utf8');
    // Without the wire types, whose compiler takes most of the time.
    writeFileSync(join(folder, configName), `${config}\nemitters: [forms, any, methods]\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('watch: prints one line per change, survives a fault and exits cleanly', async () => {
    let waiting: { readonly wanted: RegExp; readonly found: (line: string) => void } | undefined;
    const told = (line: string): void => {
      if (waiting?.wanted.test(line)) waiting.found(line);
    };
    /** Waits until a matching line is printed after `change`. */
    const after = (change: () => void, wanted: RegExp): Promise<string> => {
      const line = new Promise<string>((found) => (waiting = { wanted, found }));
      change();
      return line;
    };
    const stop = new AbortController();
    const proto = join(folder, 'proto/example/v1/example.proto');
    const text = readFileSync(proto, 'utf8');
    let ended: Promise<number> = Promise.resolve(-1);
    await after(() => {
      ended = runCli(['generate', '--watch'], folder, { out: told, err: told, untilStopped: () => stop.signal });
    }, /^src\/gen: \d written; \d files from 3 protos, 1 services, 1 methods, [\d.]+ s\n$/);
    const write = (file: string, content: string) => () => writeFileSync(file, content);
    await after(write(proto, text.replace('weight_grams', 'weight_mg')), /^src\/gen: 1 written/);
    expect(readFileSync(join(folder, 'src/gen/forms/example/v1/example.ts'), 'utf8')).toContain('weightMg');
    await after(write(proto, text.replace('uint64', 'uint65')), /example\.proto:\d+:\d+:.*uint65/);
    const config = join(folder, configName);
    await after(write(config, 'outptu: x\n'), /hubwatch-codegen\.yml:1: "outptu" is no key; did you mean "output"\?/);
    writeFileSync(proto, text);
    await after(write(config, 'spec: spec\nemitters: [forms]\n'), /^src\/gen: \d written/);
    stop.abort();
    expect(await ended).toBe(0);
  });
});

describe('init', () => {
  test('init: its files generate immediately; a second run overwrites nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hubwatch-init-'));
    let text = '';
    const streams = { out: (more: string) => void (text += more), err: (more: string) => void (text += more) };
    expect(await runCli(['init'], folder, streams)).toBe(0);
    expect(text).toContain(`${configName}\nspec/availability.yaml\n`);
    expect(await runCli(['generate', '--emitters', 'forms,any,methods'], folder, streams)).toBe(0);
    expect(readFileSync(join(folder, 'src/gen/methods/example/v1/example-service.ts'), 'utf8')).toContain(
      "'example.v1.ExampleService GetThing has no REST route, its proto file gives it no HTTP rule; call it over gRPC instead.'",
    );
    const config = readFileSync(join(folder, configName), 'utf8');
    text = '';
    expect(await runCli(['init'], folder, streams)).toBe(2);
    expect(text).toContain(`${configName}, spec/availability.yaml, spec/any.yaml are there already`);
    expect(readFileSync(join(folder, configName), 'utf8')).toBe(config);
    rmSync(folder, { recursive: true });
  });
});

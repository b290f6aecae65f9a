import { cpSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Consumer, makeConsumer, type Packed, pack, publicPackage, workspace } from '@hubwatch/bench/consumers';
import { publicNaming } from '@hubwatch/client';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { startFaultProxy } from '@hubwatch/devnode/faults';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, programHint } from './programs.js';
import { pagePrograms, withAddresses } from './readme-programs.js';

const program = findProgram('chromium');
const day = { mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none' } as const;
const first = 'sentnode1ythg7xx6sa4n8778zkdyn3hepmy9hl8p256vra';

let packed: Packed<'types' | 'client'>;
let consumer: Consumer;
let bundle: string;

/** Bundles a program of the consumer with esbuild for browsers, without special options. */
async function bundled(file: string, text: string): Promise<string> {
  // Paths in this package contain the network's own names.
  const program = text.replaceAll(/(?<=@hubwatch\/types-public\/gen\/)[\w/-]+/g, (path) =>
    publicNaming.routeToWire(path),
  );
  const entryPoints = [consumer.write(file, program)];
  // Its sources replace the packed build here; public-package.test.ts packs it.
  const alias = { '@hubwatch/types-public': join(consumer.folder, 'types-public') };
  const built = await build({ entryPoints, bundle: true, format: 'esm', platform: 'browser', write: false, alias });
  expect(built.warnings).toEqual([]);
  return built.outputFiles[0]?.text ?? '';
}

beforeAll(async () => {
  packed = await pack(['types', 'client']);
  consumer = await makeConsumer(packed, { packages: ['types', 'client'] });
  cpSync(join((await publicPackage()).folder, 'src'), join(consumer.folder, 'types-public'), { recursive: true });
  bundle = await bundled('app.js', readFileSync(join(workspace, 'tools/e2e/fixtures/browser-app.js'), 'utf8'));
});
afterAll(() => {
  consumer.remove();
  packed.remove();
});

it('browser bundle: esbuild builds it from the tarballs without gRPC and Node modules', () => {
  expect(bundle).toContain('abci_query');
  expect(bundle).not.toMatch(/from "node:|require\("/);
});

it('tree shaking: one query bundled from the tarballs is as small as from the sources, module by module', async () => {
  const query = (entry: string) => `
    import { createRestTransport } from '@hubwatch/client/rest';
    import { queryNode } from '@hubwatch/types/${entry}';
    import { identityNaming as naming } from '@hubwatch/types/runtime/naming-profile';
    export const node = (url, address) => createRestTransport({ address: url, naming }).call(queryNode, { address });`;
  const module = 'gen/methods/hub/node/v3/query-service';
  const size = async (resolveDir: string, conditions: string[], entry = module): Promise<number> => {
    const stdin = { contents: query(entry), resolveDir };
    const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', write: false } as const;
    return (await build({ ...options, stdin, conditions })).outputFiles[0]?.contents.length ?? 0;
  };
  const fromSources = await size(join(workspace, 'tools/bench'), ['@hubwatch/source']);
  expect(fromSources).toBeGreaterThan(1000);
  expect(await size(consumer.folder, [])).toBeLessThan(1.02 * fromSources);
  // The package's root entry exports much more.
  expect(await size(consumer.folder, [], 'hub/node/v3')).toBeLessThan(1.02 * fromSources);
});

it('docs/browsers.md: the counts of served methods match the method constants', () => {
  const page = readFileSync(join(workspace, 'docs/browsers.md'), 'utf8');
  const [rest, abci, grpc] = (['rest', 'abci', 'grpc'] as const).map(
    (kind) => allMethods.filter((method) => method.availability[kind].served).length,
  );
  expect(page).toContain(`| methods served, of ${allMethods.length} | ${rest} | ${abci} | ${grpc}, none from a page |`);
  const abciOnly = allMethods.filter(({ availability: { rest, abci } }) => abci.served && !rest.served);
  expect(abciOnly, 'the page says "Seven methods"').toHaveLength(7);
});

describe.skipIf(program === undefined)(`browser: a page from another origin ${programHint('chromium')}`, () => {
  let pages: Server;
  let browser: Browser;

  beforeAll(async () => {
    pages = createServer((request, response) => {
      const script = request.url === '/app.js';
      const start = request.url === '/empty' ? '' : '<script type="module" src="/app.js"></script>';
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html');
      response.end(script ? bundle : `<!doctype html><title>app</title>${start}`);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
  });

  const ask = async (node: Devnode): Promise<Record<string, string>> => {
    const page = await browser.newPage();
    try {
      const query = new URLSearchParams({ rest: node.rest, rpc: node.rpc });
      await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/?${query.toString()}`);
      await page.waitForFunction(() => 'answers' in globalThis);
      return await page.evaluate(() => (globalThis as unknown as { answers: Record<string, string> }).answers);
    } finally {
      await page.close();
      await node.close();
    }
  };

  it('cross-origin access on: REST and abci answer, a height works over abci only, refusals keep their code', async () => {
    const answers = await ask(await startDevnode({ ...day, cors: { rest: true, rpc: ['*'] } }));
    expect(answers).toEqual({
      rest: `${first} at undefined`,
      restAtHeight: expect.stringMatching(/^HubError unavailable: .*a page cannot send a height over REST/),
      restRefused: expect.stringMatching(/^HubError invalid_argument: /),
      restNotServed: expect.stringMatching(/^HubError not_served: .*call it over gRPC or abci_query instead/),
      abci: '1 at 902400',
      abciAtHeight: `${first} at 902300`,
      connect: `${first} at undefined`,
      grpc: expect.stringMatching(/^HubError invalid_argument: .*a browser cannot call gRPC/),
      rpc: '902400',
      publicNames: `${first} at undefined`,
    });
  });

  it('cross-origin access off, the default of nodes: every request fails as unanswered, and the error names the likely cause', async () => {
    const answers = await ask(await startDevnode(day));
    expect(answers).toMatchObject({
      rest: expect.stringMatching(
        /^HubError unavailable: .*or its \[api\] enabled-unsafe-cors does not allow pages of http:/,
      ),
      abci: expect.stringMatching(
        /^HubError unavailable: .*or its \[rpc\] cors_allowed_origins does not allow pages of/,
      ),
      rpc: 'unavailable',
      publicNames: expect.stringMatching(/^HubError unavailable: /),
    });
  });

  it("a followed chain: pushed blocks and those missed during a cut arrive in order over the browser's websocket", async () => {
    const script = await bundled(
      'follow.js',
      readFileSync(join(workspace, 'tools/e2e/fixtures/browser-follow.js'), 'utf8'),
    );
    expect(script).not.toMatch(/import\("ws"\)|from "ws"|from "node:/);
    const node = await startDevnode({ ...day, cors: { rpc: ['*'] } });
    const proxy = await startFaultProxy({ target: node.rpc, mode: 'http' });
    const page = await browser.newPage();
    try {
      const query = new URLSearchParams({ rpc: proxy.url });
      await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/empty?${query.toString()}`);
      await page.addScriptTag({ content: script, type: 'module' });
      const connected = (times: number) =>
        page.waitForFunction((count) => {
          const { told = [] } = globalThis as unknown as { told?: string[] };
          return told.filter((kind) => kind === 'connected').length >= count;
        }, times);
      await connected(1);
      await node.advanceTo(902_404);
      await page.waitForFunction(() => (globalThis as unknown as { heights: string[] }).heights.length === 10);
      await proxy.down();
      await node.advanceTo(902_408);
      await proxy.up();
      await connected(2);
      await node.advanceTo(902_410);
      await page.waitForFunction(() => (globalThis as unknown as { done?: boolean }).done === true);
      const seen = await page.evaluate(() => {
        const { heights, pushed } = globalThis as unknown as { heights: string[]; pushed: string };
        return { heights, pushed };
      });
      expect(seen.heights).toEqual(Array.from({ length: 16 }, (_, index) => `block ${902_395 + index}`));
      expect(seen.pushed).toBe('NewBlockHeader 902401');
    } finally {
      await page.close();
      await proxy.close();
      await node.close();
    }
  });

  it('docs/browsers.md: its programs print the documented output in the browser', async () => {
    const programs = pagePrograms('docs/browsers.md');
    expect(programs.length).toBeGreaterThan(3);
    const node = await startDevnode({ ...day, cors: { rest: true, rpc: ['*'] } });
    try {
      for (const [index, { title, code, output }] of programs.entries()) {
        const script = await bundled(`page-${index}.ts`, withAddresses(code, node));
        const page = await browser.newPage();
        const printed: string[] = [];
        page.on('console', (message) => printed.push(`${message.text()}\n`));
        await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/empty`);
        // A module with top-level await has finished when its import resolves.
        const url = `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`;
        await page.evaluate(`import(${JSON.stringify(url)}).then(() => undefined)`);
        // Console messages can arrive after `evaluate` has resolved.
        await expect.poll(() => printed.join(''), { message: title }).toBe(output);
        await page.close();
      }
    } finally {
      await node.close();
    }
  });
});

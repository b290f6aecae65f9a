import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { findProgram, programHint } from './programs.js';

const program = findProgram('chromium');

describe.skipIf(program === undefined)(`status page: in a real browser ${programHint('chromium')}`, () => {
  let chain: MonitoredChain;
  let browser: Browser;

  beforeAll(async () => {
    chain = await monitorChain({ chain: 'day', from: 902_394, watchesAll: true });
    // Twice: checks of the whole round see its results in the next round. Then the lapse, and the minute of its hold time.
    for (const height of [902_395, 902_396, 902_399, 902_402]) await chain.moveTo(height);
    await chain.app.pollNow();
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
    await chain.close();
  });

  it.each([
    ['a phone', 360, 740, 'light'],
    ['a phone', 390, 844, 'dark'],
    ['a desk', 1_440, 900, 'light'],
  ] as const)(
    'status page: on %s of %i px every card has values, and nothing overflows horizontally, open or closed',
    async (_name, width, height, colorScheme) => {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme, javaScriptEnabled: false });
      const answer = await page.goto(chain.app.address());
      expect(answer?.status()).toBe(200);
      expect(await page.title()).toContain('hubwatch');
      expect(await bounds(page)).toEqual([width, width]);
      await page.locator('details').evaluateAll((all) => {
        for (const one of all) one.setAttribute('open', '');
      });
      expect(await bounds(page)).toEqual([width, width]);
      const text = (await page.locator('body').innerText()).replaceAll('\u202f', '');
      for (const part of filled) expect(text).toMatch(part);
      await page.close();
    },
  );
});

/** Width of the content, and of the viewport. */
const bounds = (page: Page): Promise<readonly number[]> =>
  page.locator('html').evaluateAll(([root]) => [root?.scrollWidth ?? 0, root?.clientWidth ?? 0]);

/** Content of each card that is present only if the card has values. */
const filled = [
  /node4: inactive since/, // alerts
  /Watched nodes[^]*inactive last/,
  /\d+ active, \d+ ending/, // sessions
  /lease \d+: \d+ udvpn an hour, \d of \d h paid/,
  /Watched providers[^]*deposit \d+ udvpn, of which leases still pay \d+ udvpn/,
  /plan \d+: active/,
  /Watched accounts[^]*\d{9,} udvpn/,
  /subscription \d+ of plan \d+: \d+ udvpn a period/,
  /Endpoints[^]*blocks from 901801\s+state from 901801/,
  /index from 901801/,
  /Chain\s[^]*none planned/,
  /the longest term of a lease: 720 h/,
  /Ledger[^]*node4[^]*refunded 11500000 udvpn of leases/,
  /Network[^]*by renewal policy: \d+ /,
  /Deposits are those of sessions and leases, to the last unit/,
  /Over[^]*node4: heartbeat late/,
];

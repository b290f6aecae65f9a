import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';
import { findProgram, programHint } from './programs.js';

const program = findProgram('chromium');

describe.skipIf(program === undefined)(`status page: in a real browser ${programHint('chromium')}`, () => {
  let chain: MonitoredChain;
  let browser: Browser;

  beforeAll(async () => {
    chain = await monitorChain({ chain: 'day', from: 902_398 });
    await chain.moveTo(902_399);
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
    ['phone', 360, 740],
    ['desktop', 1440, 900],
  ])(
    'status page: at %s width it shows head and nodes, and nothing runs out of the side',
    async (_name, width, height) => {
      const page = await browser.newPage({ viewport: { width, height }, javaScriptEnabled: false });
      const answer = await page.goto(chain.app.address());
      expect(answer?.status()).toBe(200);
      const text = await page.locator('body').innerText();
      expect(text).toContain('902399');
      expect(text).toContain('node4');
      expect(await page.title()).toContain('hubwatch');
      const bounds = await page
        .locator('html')
        .evaluateAll(([root]) => [root?.scrollWidth ?? 0, root?.clientWidth ?? 0]);
      expect(bounds[0]).toBeLessThanOrEqual(bounds[1] ?? 0);
      await page.close();
    },
  );
});

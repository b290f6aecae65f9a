import { afterEach, expect, test } from 'vitest';
import type { BlockStream } from './block-stream.js';
import { Playback } from './playback.js';
import type { StateHistory } from './state-history.js';

const warnings: Error[] = [];
const onWarning = (warning: Error): unknown => warnings.push(warning);
afterEach(() => {
  process.off('warning', onWarning);
  warnings.length = 0;
});

/** Ten blocks, one per second, without content. */
const blocks = {
  first: 1,
  last: 10,
  has: (height: number) => height >= 1 && height <= 10,
  time: (height: number) => BigInt(height) * 1_000_000_000n,
} as unknown as BlockStream;

const play = (speed: number | 'manual'): Playback =>
  new Playback({ blocks, states: {} as unknown as StateHistory, from: 1, speed, shiftMs: 0 });

test('stop: ends a move in progress, and the clock does not restart afterwards', async () => {
  const playback = play(1_000);
  let release = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    playback.onBlock(() => {
      resolve();
      return new Promise<void>((go) => {
        release = go;
      });
    });
  });
  playback.start();
  await told;
  playback.stop();
  const head = playback.head;
  release();
  await playback.advanceTo(10);
  expect(playback.head).toBe(head);
});

test('a failing listener: the caller who moves the chain gets its error, and the next move works', async () => {
  const playback = play('manual');
  playback.onBlock((height) => (height === 2 ? Promise.reject(new Error('no block 2')) : undefined));
  await expect(playback.advanceTo(2)).rejects.toThrow('no block 2');
  await playback.advanceTo(5);
  expect(playback.head).toBe(5);
});

test('a failing listener under the clock: emits a warning, and the chain continues', async () => {
  process.on('warning', onWarning);
  const playback = play(1_000);
  playback.onBlock((height) => (height === 2 ? Promise.reject(new Error('no block 2')) : undefined));
  playback.start();
  await expect.poll(() => playback.head).toBe(10);
  await expect.poll(() => warnings.map(({ message }) => message)).toEqual(['no block 2']);
  playback.stop();
});

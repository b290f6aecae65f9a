import { HubError } from '@hubwatch/client';
import { expect, test } from 'vitest';
import { createNodePace } from './node-pace.js';

/** A pace whose usual time of a page of nodes is 40 ms. */
const settled = () => {
  const pace = createNodePace();
  for (let page = 0; page < 11; page += 1) pace.answered('nodes', 40);
  return pace;
};
const failure = (code: HubError['code'], retryAfterMs?: number) =>
  new HubError({ code, message: code, raw: retryAfterMs === undefined ? {} : { retryAfterMs } });

const answers = (pace: ReturnType<typeof settled>, list: string, ms: number, times: number): void => {
  for (let time = 0; time < times; time += 1) pace.answered(list, ms);
};

test('node pace: no pause after responses at the usual speed, and a single slow response is ignored', () => {
  const pace = settled();
  expect(pace.pauseMs()).toBe(0);
  answers(pace, 'nodes', 75, 20);
  expect(pace.pauseMs()).toBe(0);
  pace.answered('nodes', 4_000);
  expect(pace.pauseMs()).toBe(0);
});

test('node pace: responses slower than twice the usual are followed by a pause that grows with the slowness', () => {
  const pace = settled();
  answers(pace, 'nodes', 200, 3);
  expect(pace.pauseMs()).toBe(1_000);
  answers(pace, 'nodes', 400, 3);
  expect(pace.pauseMs()).toBe(4_000);
  answers(pace, 'nodes', 8_000, 3);
  expect(pace.pauseMs()).toBe(60_000);
  answers(pace, 'nodes', 40, 3);
  expect(pace.pauseMs()).toBe(0);
});

test('node pace: each list has its own usual time, and its first responses have no effect', () => {
  const pace = settled();
  answers(pace, 'sessions', 900, 10);
  expect(pace.pauseMs()).toBe(0);
  answers(pace, 'sessions', 1_000, 10);
  expect(pace.pauseMs()).toBe(0);
});

test('node pace: a difference of a few milliseconds has no effect, regardless of the factor', () => {
  const pace = createNodePace();
  answers(pace, 'nodes', 2, 50);
  answers(pace, 'nodes', 20, 5);
  expect(pace.pauseMs()).toBe(0);
});

test('node pace: a permanently slow node becomes the usual case after a while, not at once', () => {
  const pace = settled();
  const rests = Array.from({ length: 40 }, () => {
    pace.answered('nodes', 120);
    return pace.pauseMs();
  });
  expect(rests.slice(2, 9).every((ms) => ms > 0)).toBe(true);
  expect(rests.at(-1)).toBe(0);
});

test('node pace: failures double the pause up to a minute, and successes halve it', () => {
  const pace = settled();
  const rests = Array.from({ length: 8 }, () => {
    pace.failed(failure('unavailable'));
    return pace.pauseMs();
  });
  expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  pace.answered('nodes', 40);
  expect(pace.pauseMs()).toBe(30_000);
  for (let page = 0; page < 11; page += 1) pace.answered('nodes', 40);
  expect(pace.pauseMs()).toBe(0);
});

test('node pace: a rate limit response is obeyed', () => {
  const pace = settled();
  pace.failed(failure('rate_limited', 20_000));
  expect(pace.pauseMs()).toBe(20_000);
  const silent = settled();
  silent.failed(failure('rate_limited'));
  expect(silent.pauseMs()).toBe(5_000);
});

test('node pace: time-outs reduce the page size of the next lists, a complete round increases it again', () => {
  const pace = settled();
  for (let times = 0; times < 5; times += 1) pace.failed(failure('timeout'));
  expect(pace.pageShare()).toBe(1 / 8);
  pace.failed(failure('unavailable'));
  expect(pace.pageShare()).toBe(1 / 8);
  pace.gotThrough();
  expect(pace.pageShare()).toBe(1 / 4);
  for (let times = 0; times < 5; times += 1) pace.gotThrough();
  expect(pace.pageShare()).toBe(1);
});

import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../test/parts.js';
import { createOwnMetrics } from '../own-metrics.js';
import { type Reply, type Routes, startWebServer, textResponse } from './server.js';
import { sharedReply } from './shared-reply.js';

const serve = async (routes: Routes) => {
  const own = createOwnMetrics();
  const server = await startWebServer({ host: '127.0.0.1', port: 0 }, routes, own, silentLogger);
  onTestFinished(() => server.close());
  return { url: server.url, own };
};

const statusOf = async (url: string): Promise<number> => {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
};

test('web server: 20 connections with 2,000 pipelined scrapes each share few collections; a health check is answered', async () => {
  let collections = 0;
  const page = 'x'.repeat(1_000_000);
  const { url, own } = await serve({
    '/metrics': {
      name: 'metrics',
      answer: sharedReply(() => {
        collections += 1;
        return textResponse(200, page);
      }),
    },
    '/-/healthy': { name: 'healthy', isCheap: true, answer: () => textResponse(200, 'healthy\n') },
  });
  const { port } = new URL(url);
  // The clients never read the responses.
  const floods = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.pause();
    socket.on('error', () => undefined);
    socket.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
    return new Promise<void>((resolve) => {
      socket.once('connect', () => resolve());
      onTestFinished(() => void socket.destroy());
    });
  });
  await Promise.all(floods);
  expect(await statusOf(`${url}/-/healthy`)).toBe(200);
  const { values } = await own.httpRequests.get();
  const served = values.find(({ labels }) => labels.handler === 'metrics' && labels.code === '200')?.value ?? 0;
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThanOrEqual(80);
  expect(collections).toBeLessThanOrEqual(served);
});

test('web server: more than 16 concurrent requests get 503; health checks are answered, and later requests succeed again', async () => {
  let release: (reply: Reply) => void = () => undefined;
  const held = new Promise<Reply>((resolve) => {
    release = resolve;
  });
  let started = 0;
  const { url } = await serve({
    '/slow': {
      name: 'slow',
      answer() {
        started += 1;
        return held;
      },
    },
    '/-/healthy': { name: 'healthy', isCheap: true, answer: () => textResponse(200, 'healthy\n') },
  });
  const waiting = Array.from({ length: 16 }, () => statusOf(`${url}/slow`));
  await expect.poll(() => started).toBe(16);
  expect(await statusOf(`${url}/slow`)).toBe(503);
  expect(await statusOf(`${url}/-/healthy`)).toBe(200);
  release(textResponse(200, 'late\n'));
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
  await expect.poll(() => statusOf(`${url}/slow`)).toBe(200);
});

test('shared reply: concurrent requests share one reply; a later request gets a new one, also after a failure', async () => {
  let made = 0;
  const answer = sharedReply(() => {
    made += 1;
    if (made === 2) throw new Error('no');
    return textResponse(200, String(made));
  });
  const [first, second] = await Promise.all([answer(), answer()]);
  expect(first).toBe(second);
  await expect.poll(() => answer().catch(() => 'failed')).toBe('failed');
  await expect.poll(() => answer().catch(() => 'failed')).toMatchObject({ status: 200 });
});

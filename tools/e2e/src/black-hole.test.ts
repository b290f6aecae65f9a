import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { stringify } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';

const kinds = ['grpc', 'rest', 'rpc'] as const;
type Addresses = Readonly<Partial<Record<(typeof kinds)[number], string>>>;

/** A listener that accepts every connection and never answers. */
interface BlackHole {
  readonly addresses: Required<Addresses>;
  close(): void;
}

async function openBlackHole(): Promise<BlackHole> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    addresses: { grpc: host, rest: `http://${host}`, rpc: `http://${host}` },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function get(app: App, path: string): Promise<Answer> {
  const response = await fetch(`${app.address()}${path}`);
  const text = await response.text();
  return { status: response.status, text };
}

interface Status {
  readonly alerts: readonly { readonly rule: string; readonly state: string }[];
  readonly nodes: readonly { readonly status?: string; readonly notRead?: string }[];
}

const statusOf = async (app: App): Promise<Status> => JSON.parse((await get(app, '/api/v1/status')).text) as Status;

describe('black hole: an endpoint that accepts and never answers', () => {
  let node: Devnode;
  let hole: BlackHole;
  let folder: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hubwatch-e2e-'));
    node = await startDevnode({ mode: 'moving', chain: 'chain', speed: 'manual', from: 901_880, shiftTo: 'none' });
    hole = await openBlackHole();
  });

  afterAll(async () => {
    await node.close();
    hole.close();
    await rm(folder, { recursive: true });
  });

  async function start(endpoints: readonly (Addresses & { readonly name: string })[], timeoutMs: number): Promise<App> {
    count += 1;
    const config = {
      network: { chain_id: node.chainId },
      endpoints: endpoints.map((endpoint) => ({ role: 'own', ...endpoint })),
      watch: { nodes: [{ alias: 'node5', address: node.accounts['node5'] }] },
      poll: { endpoints: '1s', nodes: '1s' },
      alerts: { rules: { HubAllEndpointsDown: { for: '0s' } } },
      web: { listen: '127.0.0.1:0' },
      store: { path: join(folder, `${count}.db`) },
    };
    const parsed = parseConfig(stringify(config));
    return startApp(
      { ...parsed, poll: { ...parsed.poll, timeout: timeoutMs } },
      {
        clock: { ...systemClock, nowMs: () => Date.parse(node.position().time) },
        logger: createLogger('silent'),
      },
    );
  }

  const healthy = (): Required<Addresses> => ({ grpc: node.grpc, rest: node.rest, rpc: node.rpc });

  /** Resolves when the watched node has been read; every scrape until then is answered. */
  async function untilRead(app: App): Promise<void> {
    await eventually('the node is read', async () => {
      const metrics = await get(app, '/metrics');
      expect(metrics.status).toBe(200);
      return metrics.text.includes('hub_node_status{') ? true : undefined;
    });
  }

  it("black hole: next to a responsive endpoint it delays neither start, readiness, scrapes nor the other endpoint's values", async () => {
    // Waiting for it would exceed the time limit of the test.
    const app = await start(
      [
        { name: 'dead', ...hole.addresses },
        { name: 'own', ...healthy() },
      ],
      3_600_000,
    );
    try {
      await untilRead(app);
      expect((await get(app, '/-/ready')).status).toBe(200);
      expect((await statusOf(app)).nodes).toMatchObject([{ status: 'active' }]);
    } finally {
      await app.close();
    }
  });

  it.each(kinds)(
    'black hole: as %s of the only endpoint it is waited for once, and the other transports deliver the values',
    async (kind) => {
      const app = await start([{ name: 'own', ...healthy(), [kind]: hole.addresses[kind] }], 1_000);
      try {
        await untilRead(app);
        await eventually('ready', async () => ((await get(app, '/-/ready')).status === 200 ? true : undefined));
        expect((await statusOf(app)).nodes).toMatchObject([{ status: 'active' }]);
        await eventually('its state is told', async () =>
          (await get(app, '/metrics')).text.includes(`hub_endpoint_up{endpoint="own",transport="${kind}"} 0`)
            ? true
            : undefined,
        );
      } finally {
        await app.close();
      }
    },
  );

  it('black hole: as the only endpoint the daemon starts, serves its page, and reports that it has no data instead of raising unfounded alerts', async () => {
    const app = await start([{ name: 'dead', ...hole.addresses }], 1_000);
    try {
      const first = await get(app, '/');
      expect(first.status).toBe(200);
      expect(first.text).toContain('Starting: no endpoint has been asked yet');
      expect(await get(app, '/-/ready')).toMatchObject({ status: 503, text: 'not ready: not asked yet: dead\n' });

      await eventually('the endpoint is asked', async () =>
        (await get(app, '/-/ready')).status === 200 ? true : undefined,
      );
      const alerts = await eventually('it is told', async () => {
        const { alerts } = await statusOf(app);
        return alerts.length > 0 ? alerts : undefined;
      });
      expect(alerts.filter(({ state }) => state === 'firing')).toMatchObject([{ rule: 'HubAllEndpointsDown' }]);
      expect(alerts.map(({ rule }) => rule).filter((rule) => rule.startsWith('HubNode'))).toEqual([]);
      const { text } = await get(app, '/metrics');
      expect(text).toContain('hub_endpoint_up{endpoint="dead",transport="grpc"} 0');
      expect(text).not.toContain('hub_node_status{');
      expect((await statusOf(app)).nodes[0]?.notRead).toBeDefined();
    } finally {
      await app.close();
    }
  });
});

// The whole daemon, with the lists held back until the measurement starts.
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, publicNaming, type Transport } from '@hubwatch/client';
import { createLogger, parseConfig, startApp, systemClock } from '@hubwatch/daemon';
import { measure } from './measure.js';
import { chainId } from './world.js';

/** The daemon's values for the lists, as in its JSON. */
export interface NetworkTold {
  /** Time that it paused because the server was slower than usual. */
  readonly waitedSeconds: number;
  readonly lists: readonly {
    readonly name: string;
    readonly records?: number;
    readonly height?: string;
    readonly sums?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly notRead?: { readonly text: string };
  }[];
  readonly deposits?: { readonly balances: readonly { readonly difference: string }[] };
}

const folder = mkdtempSync(join(tmpdir(), 'hubwatch-bench-'));
const config = parseConfig(`
network: {chain_id: ${chainId}}
endpoints: [{name: own, role: own, grpc: "${process.argv[2]}", naming: public}]
web: {listen: "127.0.0.1:0"}
store: {path: "${join(folder, 'hubwatch.db')}"}
log: {level: silent}
`);
let open = (): void => undefined;
const isOpen = new Promise<void>((resolve) => {
  open = resolve;
});
let isReached = (): void => undefined;
/** Resolves when the daemon is up, knows the head and requests the first list. */
const reached = new Promise<void>((resolve) => {
  isReached = resolve;
});

const app = await startApp(config, {
  clock: systemClock,
  logger: createLogger('silent'),
  connectTo: ({ grpc = '' }, timeoutMs) => {
    const connection = connect({ grpc, naming: publicNaming, timeoutMs });
    return { grpc: heldBack(connection.grpc), close: () => connection.close() };
  },
});

function heldBack(grpc: Transport<'grpc'>): Transport<'grpc'> {
  return {
    kind: grpc.kind,
    address: grpc.address,
    close: () => grpc.close(),
    async call(method, request, options) {
      if (method.name === 'QueryDeposits') {
        isReached();
        await isOpen;
      }
      return grpc.call(method, request, options);
    },
  };
}

/** Reads one of the daemon's pages as text. */
async function page(path: string): Promise<string> {
  // Without fetch, whose memory would count towards the measurement and not the daemon.
  return new Promise<string>((resolve, reject) => {
    get(`${app.address()}${path}`, (answer) => {
      let body = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (body += part));
      answer.on('end', () => resolve(body));
    }).on('error', reject);
  });
}

await reached;
await measure(async () => {
  open();
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const told = (JSON.parse(await page('/api/v1/status')) as { readonly network: NetworkTold }).network;
    const failed = told.lists.find(({ notRead }) => notRead !== undefined);
    if (failed !== undefined) throw new Error(`${failed.name}: ${failed.notRead?.text}`);
    if (told.lists.every(({ records }) => records !== undefined)) {
      const [, waited = '0'] = /^hubwatch_sweep_pause_seconds_total\{.*\} (.*)$/m.exec(await page('/metrics')) ?? [];
      return { ...told, waitedSeconds: Number(waited) };
    }
  }
});
await app.close();
rmSync(folder, { recursive: true });

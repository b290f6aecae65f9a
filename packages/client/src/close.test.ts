import { execFile } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { ChainServer } from '../test/chain-server.js';
import { startGrpc, type TestServer } from '../test/servers.js';

const open: (TestServer | ChainServer)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Runs in a separate process, which exits when nothing keeps it alive; the servers stay open. */
const program = (grpc: string, rpc: string, second: string): string => `
  import { connect, publicNaming as naming } from '@hubwatch/client';
  import { followChain } from '@hubwatch/client/follow';
  import { connectPool } from '@hubwatch/client/pool';
  import { openWebSocket } from '@hubwatch/client/websocket';
  import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
  const left = () => process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP|Connect|TLS|HTTP/.test(kind));
  const [grpc, rpc, second] = ${JSON.stringify([grpc, rpc, second])};
  const used = {
    grpc: async () => {
      const hub = connect({ grpc, naming });
      await hub.grpc.call(queryParams, {});
      await hub.close();
    },
    pool: async () => {
      const pool = connectPool([{ rpc, naming }, { rpc: second, naming }]);
      await pool.rpc.call('status');
      await pool.close();
    },
    websocket: async () => {
      const socket = await openWebSocket({ address: rpc, naming });
      await socket.subscribe('NewBlock');
      await socket.close();
    },
    follow: async () => {
      const chain = followChain({ rpc: [rpc, second], naming });
      for await (const { height } of chain.headers({ from: 901_900n })) if (height === 901_910n) break;
      chain.close();
    },
  };
  for (const [name, use] of Object.entries(used)) {
    await use();
    console.log(name);
    // The peer takes part in a clean close, so the wait ends with the last handle, not after a number of turns.
    while (left().length > 0) await new Promise((resolve) => setImmediate(resolve));
    console.log('released');
  }`;

it('close: gRPC, a pool, a websocket or a follower does not keep the process alive', async () => {
  const grpc = await startGrpc(() => ({ message: encodeBinary(queryParams.response, {}) }));
  const [first, second] = [await ChainServer.start({ head: 901_910 }), await ChainServer.start({ head: 901_910 })];
  open.push(grpc, first, second);
  const args = ['-C', '@hubwatch/source', '--import', 'tsx', '--input-type=module', '-e'];
  const text = await new Promise<string>((done) => {
    execFile(
      process.execPath,
      [...args, program(grpc.address, first.url, second.url)],
      { cwd: import.meta.dirname, timeout: 60_000 },
      (error, out, err) => done(error === null ? out : `${out}${err}${error.message}`),
    );
  });
  expect(text.trimEnd().split('\n')).toEqual(
    ['grpc', 'pool', 'websocket', 'follow'].flatMap((name) => [name, 'released']),
  );
});

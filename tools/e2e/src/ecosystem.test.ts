import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DirectSecp256k1HdWallet, makeSignDoc, Registry } from '@cosmjs/proto-signing';
import { StargateClient } from '@cosmjs/stargate';
import { Comet38Client, Tendermint37Client } from '@cosmjs/tendermint-rpc';
import { workspace } from '@hubwatch/bench/consumers';
import {
  connect,
  convertAddress,
  decodeTx,
  packMsg,
  publicNaming,
  signTx,
  txHash,
  writeTxBody,
} from '@hubwatch/client';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { allBalances } from '@hubwatch/types/gen/methods/stack/bank/v1beta1/query';
import { allMsgs } from '@hubwatch/types/gen/msgs/all';
import { msgUpdateNodeStatus } from '@hubwatch/types/gen/msgs/hub/node/v3/msg-service';
import { registryTypes } from '@hubwatch/types/runtime/msg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Third-party programs against the simulated node, compared with our own client.

let node: Devnode;
beforeAll(async () => {
  node = await startDevnode({ mode: 'moving', chain: 'chain', from: 902_000, speed: 'manual', shiftTo: 'none' });
});
afterAll(() => node.close());

describe('clients of the ecosystem on the simulated node', () => {
  it('tendermint-rpc: status, blocks, results, validators and a search', async () => {
    const client = await Tendermint37Client.connect(node.rpc);
    const status = await client.status();
    expect([status.nodeInfo.network, status.syncInfo.latestBlockHeight]).toEqual([
      node.chainId,
      node.position().height,
    ]);
    const { block } = await client.block(901_950);
    expect(block.header.height).toBe(901_950);
    const results = await client.blockResults(901_829);
    expect(results.beginBlockEvents.length).toBeGreaterThan(0);
    expect((await client.validatorsAll(902_000)).total).toBe(1);
    const found = await client.txSearch({ query: 'tx.height>901900 AND tx.height<901950', per_page: 50 });
    expect(found.totalCount).toBeGreaterThan(0);
    expect(found.txs.every(({ height }) => height > 901_900 && height < 901_950)).toBe(true);
    client.disconnect();
  });

  it('tendermint-rpc: follows blocks over the websocket', async () => {
    const client = await Tendermint37Client.connect(node.websocket.replace(/\/websocket$/, ''));
    const heights: number[] = [];
    const from = node.position().height;
    const seen = new Promise<void>((resolve, reject) => {
      const subscription = client.subscribeNewBlockHeader().subscribe({
        next: ({ height }) => {
          heights.push(height);
          if (heights.length === 5) {
            subscription.unsubscribe();
            resolve();
          }
        },
        error: reject,
      });
    });
    // Its subscription is in progress; blocks are produced until it has received five.
    const moving = (async () => {
      for (let step = 1; step <= 60 && heights.length < 5; step++) {
        await node.advanceTo(node.position().height + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    await Promise.all([seen, moving]);
    const first = heights[0] ?? 0;
    expect(first).toBeGreaterThan(from);
    expect(heights).toEqual([0, 1, 2, 3, 4].map((step) => first + step));
    client.disconnect();
  });

  it('stargate: chain id, height, a balance and a transaction by its hash', async () => {
    const client = await StargateClient.connect(node.rpc);
    expect(await client.getChainId()).toBe(node.chainId);
    expect(await client.getHeight()).toBe(node.position().height);
    const address = node.accounts['acc1'] ?? '';
    const hub = connect({ rpc: node.rpc, naming: publicNaming });
    const { message } = await hub.abci.call(allBalances, { address });
    expect(message.balances.length).toBeGreaterThan(0);
    expect(await client.getAllBalances(address)).toEqual(
      message.balances.map(({ denom, amount }) => ({ denom, amount })),
    );
    const [recorded] = (await hub.rpc.call('tx_search', { query: 'tx.height=901816' })).txs;
    const found = await client.getTx(recorded?.hash ?? '');
    expect([found?.height, found?.code]).toEqual([901_816, recorded?.result.code]);
    await hub.close();
    client.disconnect();
  });

  it('a client for engine 0.38: can read that the node runs engine 0.37', async () => {
    const client = await Comet38Client.connect(node.rpc);
    expect((await client.status()).nodeInfo.version).toMatch(/0\.37/);
    client.disconnect();
  });

  it('buf curl: lists services, lists methods, describes and calls', async () => {
    const run = promisify(execFile);
    const curl = async (...args: string[]): Promise<string> =>
      (
        await run(join(workspace, 'node_modules/.bin/buf'), [
          'curl',
          '--protocol',
          'grpc',
          '--http2-prior-knowledge',
          '--reflect-protocol',
          'grpc-v1alpha',
          ...args,
        ])
      ).stdout;
    const service = publicNaming.typeToWire('hub.node.v3.QueryService');
    expect(await curl('--list-services', `http://${node.grpc}`)).toContain(service);
    expect(await curl('--list-methods', `http://${node.grpc}`)).toContain(`${service}/QueryNodesForPlan`);
    const answer = JSON.parse(
      await curl('-d', '{"pagination":{"limit":2}}', `http://${node.grpc}/${service}/QueryNodes`),
    ) as {
      nodes: { address: string; status: string }[];
    };
    expect(answer.nodes).toHaveLength(2);
    expect(answer.nodes[0]?.address).toMatch(/^sentnode1/);
  });
});

describe("transactions compared with the ecosystem's signer", () => {
  const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';
  const prefix = 'sent';

  it('a heartbeat: the same bytes as with the proto-signing registry, signed by the account of the node', async () => {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix });
    const [account] = await wallet.getAccounts();
    const from = convertAddress(account?.address ?? '', 'node');
    const value = { from, status: 1 } as const;
    const fee = { amount: [{ denom: 'udvpn', amount: '20000' }], gasLimit: 200_000n };
    const ours = await signTx({
      signer: wallet,
      from,
      messages: [packMsg(msgUpdateNodeStatus, value, publicNaming)],
      chainId: node.chainId,
      accountNumber: 11n,
      sequence: 77n,
      fee,
      memo: 'alive',
      naming: publicNaming,
    });
    const registry = new Registry(registryTypes(allMsgs, publicNaming) as never);
    const typeUrl = publicNaming.typeToWire(msgUpdateNodeStatus.typeUrl);
    const theirs = registry.encode({
      typeUrl: publicNaming.typeToWire('/stack.tx.v1beta1.TxBody'),
      value: { messages: [{ typeUrl, value }], memo: 'alive' },
    });
    const body = writeTxBody(
      { messages: [packMsg(msgUpdateNodeStatus, value, publicNaming)], memo: 'alive' },
      publicNaming,
    );
    expect(Buffer.from(body).toString('hex')).toBe(Buffer.from(theirs).toString('hex'));
    const { signerInfos = [] } = decodeTx(ours.bytes, publicNaming).authInfo ?? {};
    expect(signerInfos[0]?.publicKey).toMatchObject({
      typeUrl: '/stack.crypto.secp256k1.PubKey',
      value: { key: account?.pubkey },
    });
    // The wallet signs any given document; the same document gives the same signature.
    const again = await wallet.signDirect(
      account?.address ?? '',
      makeSignDoc(body, authInfoOf(ours.bytes), node.chainId, 11),
    );
    const signature = decodeTx(ours.bytes, publicNaming).signatures[0];
    expect(Buffer.from(signature ?? []).toString('base64')).toBe(again.signature.signature);
    expect(ours.hash).toBe(txHash(ours.bytes));
  });
});

/** Bytes of the second field of a transaction. */
function authInfoOf(tx: Uint8Array): Uint8Array {
  const bytes = Buffer.from(tx);
  const [bodyLength, bodyAt] = varint(bytes, 1);
  const [length, at] = varint(bytes, bodyAt + bodyLength + 1);
  return bytes.subarray(at, at + length);
}

function varint(bytes: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let place = at, shift = 0; ; place++, shift += 7) {
    const byte = bytes[place] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return [value, place + 1];
  }
}

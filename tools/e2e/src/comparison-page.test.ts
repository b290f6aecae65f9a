import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing';
import { must, runProgram, workspace } from '@hubwatch/bench/consumers';
import { packMsg, publicNaming, signTx } from '@hubwatch/client';
import { type Devnode, on, startDevnode } from '@hubwatch/devnode';
import { account as accountMethod, accountInfo } from '@hubwatch/types/gen/methods/stack/auth/v1beta1/query';
import { msgSend } from '@hubwatch/types/gen/msgs/stack/bank/v1beta1/msg';
import { identityNaming } from '@hubwatch/types/runtime/naming-profile';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pagePrograms, withAddresses } from './readme-programs.js';

const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

/** A new account that is absent from every recorded state. */
const fresh = (address: string) => ({ address, pubKey: undefined, accountNumber: 11n, sequence: 77n });

const answers = [
  on(accountInfo, ({ address }) => ({ info: fresh(address) })),
  on(accountMethod, ({ address }) => ({
    account: { typeUrl: '/stack.auth.v1beta1.BaseAccount' as const, value: fresh(address) },
  })),
];

/** Writes the code that connect-es and cosmjs users generate from the proto files. */
async function generateForPeers(folder: string): Promise<void> {
  const bin = (name: string): string => join(workspace, 'node_modules/.bin', name);
  const paths = ['hub/node/v3', 'hub/provider/v2', 'stack/base/bft/v1beta1', 'stack/tx/v1beta1'];
  const template = {
    version: 'v2',
    inputs: [{ directory: join(workspace, 'proto'), paths: paths.map((path) => join(workspace, 'proto', path)) }],
    plugins: [
      {
        local: bin('protoc-gen-es'),
        out: join(folder, 'es'),
        opt: ['target=ts', 'import_extension=js'],
        include_imports: true,
      },
      {
        local: bin('protoc-gen-ts_proto'),
        out: join(folder, 'cosmjs'),
        opt: ['forceLong=bigint', 'esModuleInterop=true', 'importSuffix=.js'],
        include_imports: true,
        strategy: 'all',
      },
    ],
  };
  await must(bin('buf'), ['generate', '--template', JSON.stringify(template)], folder);
}

/** A transaction signed by another program, for the node with neutral names. */
async function signedElsewhere(chainId: string): Promise<Uint8Array> {
  const signer = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'sent' });
  const [{ address: from } = { address: '' }] = await signer.getAccounts();
  const amount = [{ denom: 'udvpn', amount: '7' }];
  const { bytes } = await signTx({
    signer,
    from,
    messages: [packMsg(msgSend, { fromAddress: from, toAddress: from, amount }, identityNaming)],
    chainId,
    accountNumber: 11n,
    sequence: 77n,
    fee: { amount: [{ denom: 'udvpn', amount: '20000' }], gasLimit: 200_000n },
    naming: identityNaming,
  });
  return bytes;
}

/** Maps the service names in a cosmjs bundle to public names, because cosmjs knows only those. */
const namesOf = (isRenamed: boolean, code: string): string =>
  isRenamed
    ? code.replaceAll(/(?<=["'/])hub\.\w+\.v\d\.QueryService(?=["'/])/g, (name) => publicNaming.typeToWire(name))
    : code;

describe('docs/comparison.md', () => {
  // Descriptors for connect-es contain the names of their source files, and cosmjs knows only the public names.
  let neutral: Devnode;
  let open: Devnode;
  const folder = mkdtempSync(join(workspace, 'tools/e2e/.page-'));
  beforeAll(async () => {
    const options = { mode: 'moving', chain: 'day', speed: 'manual', from: 902_400, shiftTo: 'none', answers } as const;
    neutral = await startDevnode({ ...options, names: 'neutral' });
    open = await startDevnode(options);
    await generateForPeers(folder);
    writeFileSync(join(folder, 'signed.tx'), await signedElsewhere(neutral.chainId));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await Promise.all([neutral.close(), open.close()]);
  });

  it.each(pagePrograms('docs/comparison.md').map((program, index) => ({ ...program, index })))(
    '$title, program $index: prints the documented output',
    async ({ code, output, index }) => {
      const node = code.includes('@connectrpc') ? neutral : open;
      const here = (text: string): string => withAddresses(text, node);
      const outfile = join(folder, `program-${index}.mjs`);
      const bundled = await build({
        stdin: { contents: here(code), loader: 'ts', resolveDir: folder },
        bundle: true,
        format: 'esm',
        platform: 'node',
        conditions: ['@hubwatch/source'],
        external: ['@cosmjs/*', '@connectrpc/*', '@bufbuild/*', 'ws'],
        write: false,
        logLevel: 'silent',
      });
      writeFileSync(outfile, namesOf(code.includes('./cosmjs/'), bundled.outputFiles[0]?.text ?? ''));
      // Blocks arrive while a program waits for one.
      const moving = setInterval(() => {
        const waits = /broadcast|sendTokens/i.test(code);
        if (waits) void node.advanceTo(node.position().height + 1);
      }, 50);
      try {
        expect(await runProgram(process.execPath, [outfile], folder)).toEqual({ code: 0, text: here(output) });
      } finally {
        clearInterval(moving);
      }
    },
    60_000,
  );
});

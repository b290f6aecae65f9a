import { msgUpdateNodeStatus } from '@hubwatch/types/gen/msgs/hub/node/v3/msg-service';
import { packMsg } from '@hubwatch/types/runtime/msg';
import { describe, expect, it } from 'vitest';
import { writeAddress } from '../address/bech32.js';
import { publicNaming } from '../naming/public.js';
import { writeTxBody } from './build-tx.js';
import { decodeTx } from './read-tx.js';
import { type DirectSignDoc, type OfflineDirectSigner, signTx } from './sign-tx.js';

const bytes = new Uint8Array(20).fill(5);
const account = writeAddress({ prefix: 'sent', bytes });
const node = writeAddress({ prefix: 'sentnode', bytes });

function signerOf(
  change: Partial<DirectSignDoc> = {},
  algo = 'secp256k1',
): OfflineDirectSigner & { readonly docs: DirectSignDoc[] } {
  const docs: DirectSignDoc[] = [];
  return {
    docs,
    getAccounts: () => Promise.resolve([{ address: account, algo, pubkey: new Uint8Array(33).fill(2) }]),
    signDirect: (_, signDoc) => {
      docs.push(signDoc);
      return Promise.resolve({
        signed: { ...signDoc, ...change },
        signature: { signature: Buffer.alloc(64, 7).toString('base64') },
      });
    },
  };
}

const message = packMsg(msgUpdateNodeStatus, { from: node, status: 1 }, publicNaming);
const options = {
  from: node,
  messages: [message],
  chainId: 'hub-1',
  accountNumber: 11n,
  sequence: 77n,
  fee: { amount: [{ denom: 'udvpn', amount: '20000' }], gasLimit: 200_000n },
  memo: 'größe',
  naming: publicNaming,
};

describe('signTx', () => {
  it('a message of a node: signed by the account of its key, and decoded unchanged', async () => {
    const signer = signerOf();
    const tx = await signTx({ ...options, signer, timeoutHeight: 905_000n });
    expect(signer.docs).toMatchObject([{ chainId: 'hub-1', accountNumber: 11n }]);
    const { body, authInfo, signatures } = decodeTx(tx.bytes, publicNaming);
    expect(body).toMatchObject({
      messages: [{ typeUrl: '/hub.node.v3.MsgUpdateNodeStatusRequest', value: { from: node, status: 1 } }],
      memo: 'größe',
      timeoutHeight: 905_000n,
    });
    expect(authInfo).toMatchObject({
      signerInfos: [{ sequence: 77n, modeInfo: { sum: { $case: 'single', value: { mode: 1 } } } }],
      fee: { gasLimit: 200_000n, amount: [{ denom: 'udvpn', amount: '20000' }] },
    });
    expect(signatures).toEqual([new Uint8Array(64).fill(7)]);
    expect(tx.hash).toMatch(/^[0-9A-F]{64}$/);
  });

  it('a wallet that changes the memo before it signs: the signed version is sent', async () => {
    const changed = writeTxBody({ messages: [message], memo: 'changed' }, publicNaming);
    const tx = await signTx({ ...options, signer: signerOf({ bodyBytes: changed }) });
    expect(decodeTx(tx.bytes, publicNaming).body?.memo).toBe('changed');
  });

  it('an account that the signer does not have, and a key of another kind: refused with the available ones', async () => {
    const other = writeAddress({ prefix: 'sentprov', bytes: new Uint8Array(20).fill(6) });
    await expect(signTx({ ...options, from: other, signer: signerOf() })).rejects.toThrow(
      `the account of ${other}; it holds ${account}`,
    );
    await expect(signTx({ ...options, signer: signerOf({}, 'ed25519') })).rejects.toThrow('of kind ed25519');
    await expect(signTx({ ...options, from: 'nonsense', signer: signerOf() })).rejects.toMatchObject({
      code: 'invalid_argument',
    });
  });

  it('an unknown message: its type and bytes are preserved', () => {
    const body = writeTxBody({ messages: [{ typeUrl: '/other.v1.Msg', value: Uint8Array.of(8, 1) }] }, publicNaming);
    const raw = Uint8Array.of(0x0a, body.length, ...body);
    expect(decodeTx(raw, publicNaming).body?.messages).toEqual([
      { typeUrl: '/other.v1.Msg', raw: Uint8Array.of(8, 1) },
    ]);
    expect(() => decodeTx(Uint8Array.of(0xff), publicNaming)).toThrow('the transaction cannot be read');
  });
});

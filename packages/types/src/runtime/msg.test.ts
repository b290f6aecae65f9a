import { DirectSecp256k1HdWallet, makeAuthInfoBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing';
import { describe, expect, test } from 'vitest';

import { TxBody, TxRaw } from '../gen/forms/stack/tx/v1beta1/tx.js';
import { allMsgs } from '../gen/msgs/all.js';
import { msgUpdateNodeStatus } from '../gen/msgs/hub/node/v3/msg-service.js';
import { msgStartSubscription } from '../gen/msgs/hub/subscription/v3/msg-service.js';
import { msgSend } from '../gen/msgs/stack/bank/v1beta1/msg.js';
import { publicProfile } from '../gen/naming/public.js';
import { messageByName } from '../gen/registry.js';
import { Status } from '../gen/forms/hub/types/v1/status.js';
import { decodeBinary, encodeBinary } from './binary.js';
import { defaultForm } from './default-form.js';
import { encodeObject, packMsg, registryTypes } from './msg.js';
import { createNaming } from './naming-profile.js';

const naming = createNaming(publicProfile);
const mnemonic = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

describe('transaction messages', () => {
  const registry = new Registry(registryTypes(allMsgs, naming));

  test('msgs: every message under its own type URL, with the tables of the registry', () => {
    const urls = allMsgs.map(({ typeUrl }) => typeUrl);
    expect(urls.length).toBeGreaterThan(170);
    expect(new Set(urls).size).toBe(urls.length);
    for (const { typeUrl, request, signers } of allMsgs) {
      expect(typeUrl).toBe(`/${request.name}`);
      expect(messageByName(request.name)).toBe(request);
      for (const signer of signers) expect(request.fields.map(({ prop }) => prop)).toContain(signer);
    }
    expect(msgSend.signers).toEqual(['fromAddress']);
  });

  test('msgs: the registry of @cosmjs/proto-signing writes and reads every message like our codec', () => {
    for (const msg of allMsgs) {
      const form = defaultForm(msg.request) as object;
      const { typeUrl, value } = packMsg(msg, form, naming);
      expect(Buffer.from(registry.encode({ typeUrl, value: form })).equals(value)).toBe(true);
      expect(registry.decode({ typeUrl, value })).toEqual(form);
    }
    const filled = encodeObject(
      msgStartSubscription,
      { from: 'sent1', id: 2n ** 63n, denom: 'udvpn', renewalPricePolicy: 9 },
      naming,
    );
    const bytes = registry.encode(filled);
    expect(filled.typeUrl).toBe(naming.typeToWire('/hub.subscription.v3.MsgStartSubscriptionRequest'));
    expect(Buffer.from(bytes)).toEqual(Buffer.from(encodeBinary(msgStartSubscription.request, filled.value, naming)));
    expect(registry.decode({ ...filled, value: bytes })).toMatchObject({ id: 2n ** 63n, renewalPricePolicy: 9 });
  });

  test('msgs: a transaction is signed offline by an HD wallet, and decoded by our tables', async () => {
    const wallet = await DirectSecp256k1HdWallet.fromMnemonic(mnemonic, { prefix: 'sent' });
    const [account] = await wallet.getAccounts();
    if (account === undefined) throw new Error('the wallet has no account');
    const messages = [
      encodeObject(
        msgSend,
        {
          fromAddress: account.address,
          toAddress: account.address,
          amount: [{ denom: 'udvpn', amount: '9007199254740993' }],
        },
        naming,
      ),
      encodeObject(msgUpdateNodeStatus, { from: account.address, status: Status.STATUS_ACTIVE }, naming),
    ];
    const bodyBytes = registry.encodeTxBody({ messages, memo: 'offline', timeoutHeight: 904_600n });
    const pubkey = {
      typeUrl: naming.typeToWire('/stack.crypto.secp256k1.PubKey'),
      value: Uint8Array.of(10, account.pubkey.length, ...account.pubkey),
    };
    const fee = [{ denom: 'udvpn', amount: '20000' }];
    const authInfoBytes = makeAuthInfoBytes([{ pubkey, sequence: 7n }], fee, 200_000, undefined, undefined);
    const { signed, signature } = await wallet.signDirect(
      account.address,
      makeSignDoc(bodyBytes, authInfoBytes, 'hub-golden-2', 3),
    );
    const raw = encodeBinary(TxRaw, {
      bodyBytes: signed.bodyBytes,
      authInfoBytes: signed.authInfoBytes,
      signatures: [Buffer.from(signature.signature, 'base64')],
    });
    const body = decodeBinary(TxBody, decodeBinary(TxRaw, raw).bodyBytes, naming);
    expect(body).toMatchObject({
      memo: 'offline',
      timeoutHeight: 904_600n,
      messages: [
        { typeUrl: '/stack.bank.v1beta1.MsgSend', value: { amount: [{ denom: 'udvpn', amount: '9007199254740993' }] } },
        { typeUrl: '/hub.node.v3.MsgUpdateNodeStatusRequest', value: { from: account.address, status: 1 } },
      ],
    });
    // The decoded transaction is the signed one: encoding it again produces the same bytes.
    expect(Buffer.from(encodeBinary(TxBody, body, naming)).equals(Buffer.from(bodyBytes))).toBe(true);
  });
});

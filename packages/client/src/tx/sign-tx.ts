import { fromBase64 } from '@hubwatch/types/runtime/base64';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { convertAddress } from '../address/convert.js';
import { HubError } from '../error.js';
import { type TxFee, type TxParts, txHash, writeAuthInfo, writeTx, writeTxBody } from './build-tx.js';

/** Document that is signed in direct mode. */
export interface DirectSignDoc {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  readonly chainId: string;
  readonly accountNumber: bigint;
}

/**
 * Signer interface that wallets of the ecosystem implement, such as `DirectSecp256k1HdWallet` of
 * `@cosmjs/proto-signing` or a browser extension. Keys stay in the signer.
 */
export interface OfflineDirectSigner {
  getAccounts(): Promise<readonly { readonly address: string; readonly algo: string; readonly pubkey: Uint8Array }[]>;
  signDirect(
    address: string,
    signDoc: DirectSignDoc,
  ): Promise<{ readonly signed: DirectSignDoc; readonly signature: { readonly signature: string } }>;
}

export interface SignOptions extends TxParts {
  readonly signer: OfflineDirectSigner;
  /** Sender: an account, or the node or provider whose account signs. */
  readonly from: string;
  readonly chainId: string;
  /** Number of the account, see `readAccount`. */
  readonly accountNumber: bigint;
  readonly sequence: bigint;
  readonly fee: TxFee;
  readonly naming: Naming;
}

export interface SignedTx {
  /** Encoded transaction for sending. */
  readonly bytes: Uint8Array;
  /** Transaction hash, upper-case hex. */
  readonly hash: string;
}

/**
 * Builds a transaction and has it signed. A wallet may change fee and memo before it signs: the version that it returns
 * is used.
 *
 * @throws HubError `invalid_argument` when the signer does not have the account, and anything that the signer throws
 */
export async function signTx(options: SignOptions): Promise<SignedTx> {
  const { signer, chainId, accountNumber, sequence, fee, naming } = options;
  const { address, pubkey } = await accountOf(signer, options.from);
  const signDoc: DirectSignDoc = {
    bodyBytes: writeTxBody(options, naming),
    authInfoBytes: writeAuthInfo({ publicKey: pubkey, sequence, fee }, naming),
    chainId,
    accountNumber,
  };
  const { signed, signature } = await signer.signDirect(address, signDoc);
  const bytes = writeTx(signed.bodyBytes, signed.authInfoBytes, [fromBase64(signature.signature)]);
  return { bytes, hash: txHash(bytes) };
}

async function accountOf(signer: OfflineDirectSigner, from: string): Promise<{ address: string; pubkey: Uint8Array }> {
  const wanted = convertAddress(from, 'account');
  const accounts = await signer.getAccounts();
  const account = accounts.find(({ address }) => address === wanted);
  if (account !== undefined) {
    if (account.algo === 'secp256k1') return account;
    throw fault(`the key of ${wanted} is of kind ${account.algo}; secp256k1 is expected`);
  }
  const held = accounts.map(({ address }) => address).join(', ') || 'none';
  throw fault(
    `the signer does not hold ${wanted}${wanted === from ? '' : `, the account of ${from}`}; it holds ${held}`,
  );
}

function fault(message: string): HubError {
  return new HubError({ code: 'invalid_argument', message });
}

import { sha256 } from '@noble/hashes/sha2.js';
import type { Coin } from '@hubwatch/types/gen/forms/stack/base/v1beta1/coin';
import { AuthInfo, TxBody, TxRaw } from '@hubwatch/types/gen/forms/stack/tx/v1beta1/tx';
import { toHex } from '@hubwatch/types/runtime/base64';
import { encodeBinary } from '@hubwatch/types/runtime/binary';
import type { PackedMsg } from '@hubwatch/types/runtime/msg';
import type { Naming } from '@hubwatch/types/runtime/naming';

export interface TxFee {
  readonly amount: readonly Coin[];
  readonly gasLimit: bigint;
  /** Address that pays instead of the signer. */
  readonly payer?: string | undefined;
  readonly granter?: string | undefined;
}

export interface TxParts {
  /** Results of `packMsg`, with the naming of the network. */
  readonly messages: readonly PackedMsg[];
  readonly memo?: string | undefined;
  /** Height above which no block may include the transaction; 0 or absent for no limit. */
  readonly timeoutHeight?: bigint | undefined;
}

/**
 * Encodes the body of a transaction.
 *
 * @throws CodecError when a value cannot be written
 */
export function writeTxBody({ messages, memo = '', timeoutHeight = 0n }: TxParts, naming: Naming): Uint8Array {
  const rest = encodeBinary(TxBody, { memo, timeoutHeight }, naming);
  // Messages are already encoded, and they are the first field of the body.
  return joined([
    ...messages.map(({ typeUrl, value }) => field(1, joined([field(1, utf8(typeUrl)), field(2, value)]))),
    rest,
  ]);
}

export interface SignerParts {
  /** Compressed secp256k1 key, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly sequence: bigint;
  readonly fee: TxFee;
}

/**
 * Encodes the signer, the sign mode and the fee: one signer in direct mode.
 *
 * @throws CodecError when a value cannot be written
 */
export function writeAuthInfo({ publicKey, sequence, fee }: SignerParts, naming: Naming): Uint8Array {
  const { amount, gasLimit, payer = '', granter = '' } = fee;
  const key = { typeUrl: '/stack.crypto.secp256k1.PubKey' as const, value: { key: publicKey } };
  return encodeBinary(
    AuthInfo,
    {
      signerInfos: [{ publicKey: key, modeInfo: { sum: { $case: 'single', value: { mode: directMode } } }, sequence }],
      fee: { amount, gasLimit, payer, granter },
      tip: undefined,
    },
    naming,
  );
}

/** SIGN_MODE_DIRECT: the encoded bytes are signed. */
const directMode = 1;

/** Encodes a transaction for sending. */
export function writeTx(
  bodyBytes: Uint8Array,
  authInfoBytes: Uint8Array,
  signatures: readonly Uint8Array[],
): Uint8Array {
  return encodeBinary(TxRaw, { bodyBytes, authInfoBytes, signatures });
}

/** Hash that identifies a transaction on a node: upper-case hex, 64 characters. */
export function txHash(bytes: Uint8Array): string {
  return toHex(sha256(bytes));
}

function field(no: number, bytes: Uint8Array): Uint8Array {
  return joined([Uint8Array.of((no << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Uint8Array.of(...bytes, left);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

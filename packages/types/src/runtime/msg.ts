import { decodeBinary, encodeBinary } from './binary.js';
import type { PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './naming-profile.js';
import type { MessageTable } from './table.js';

/** A message of transactions as a constant: its name, its tables and who signs it. `I` is its form, `O` that of its answer. */
export interface Msg<I = unknown, O = unknown> {
  /** Neutral type URL, `/hub.node.v3.MsgUpdateNodeStatusRequest`. */
  readonly typeUrl: `/${string}`;
  readonly request: MessageTable<I>;
  /** What a transaction that was included answers for the message. */
  readonly response: MessageTable<O>;
  /** Members of the form that hold who must sign; none where the protos do not say. */
  readonly signers: readonly string[];
}

/** Every message constant, whatever its types. */
export type AnyMsg = Omit<Msg, 'request' | 'response'> & {
  readonly request: MessageTable;
  readonly response: MessageTable;
};

/** What the signers of the ecosystem take as a message of a transaction: the type URL of the network and the form. */
export interface EncodeObject<T = unknown> {
  readonly typeUrl: string;
  readonly value: T;
}

/** A message packed for `TxBody.messages`. */
export interface PackedMsg {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/**
 * The message for a signer that encodes it with a registry, for example one of `registryTypes`.
 *
 * @param value members that are left out are the defaults of the message
 * @param naming names of the network to sign for
 */
export function encodeObject<I>(
  msg: Msg<I>,
  value: PartialForm<I>,
  naming: Naming = identityNaming,
): EncodeObject<PartialForm<I>> {
  return { typeUrl: naming.typeToWire(msg.typeUrl), value };
}

/**
 * The message with its bytes, for those who build the transaction themselves.
 *
 * @throws CodecError when a value cannot be written, with its field
 */
export function packMsg<I>(msg: Msg<I>, value: PartialForm<I>, naming: Naming = identityNaming): PackedMsg {
  return { typeUrl: naming.typeToWire(msg.typeUrl), value: encodeBinary(msg.request, value, naming) };
}

/**
 * Codec of a message as registries of the ecosystem hold it. Its types are open because the classes of writers and readers
 * there differ by release and have private members; what it returns answers to `finish()`.
 */
export interface GeneratedType {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly encode: (message: any) => any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly decode: (bytes: any) => any;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly fromPartial: (value: any) => any;
}

/**
 * Entries of a signer's registry: type URL of the network and codec. `new Registry(registryTypes(allMsgs, naming))` makes
 * @cosmjs/proto-signing encode every message by the tables of this package.
 */
export function registryTypes(
  msgs: readonly AnyMsg[],
  naming: Naming = identityNaming,
): [typeUrl: string, type: GeneratedType][] {
  return msgs.map(({ typeUrl, request }) => [naming.typeToWire(typeUrl), generatedType(request, naming)]);
}

function generatedType(table: MessageTable, naming: Naming): GeneratedType {
  return {
    encode: (message: object) => {
      const bytes = encodeBinary(table, message, naming);
      return { finish: () => bytes };
    },
    decode: (bytes: Uint8Array) => decodeBinary(table, bytes, naming),
    // The encoder takes partial forms as they are.
    fromPartial: (value: unknown) => value,
  };
}

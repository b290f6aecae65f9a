import { decodeBinary, encodeBinary } from './binary.js';
import type { PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';
import type { MessageTable } from './table.js';

/** A transaction message as a constant: its name, tables and signers. `I` is its form, `O` the form of its response. */
export interface Msg<I = unknown, O = unknown> {
  /** Neutral type URL, `/hub.node.v3.MsgUpdateNodeStatusRequest`. */
  readonly typeUrl: `/${string}`;
  readonly request: MessageTable<I>;
  /** Response to the message in an included transaction. */
  readonly response: MessageTable<O>;
  /** Members of the form with the required signers; empty if the protos do not declare them. */
  readonly signers: readonly string[];
}

/** Every message constant, regardless of its types. */
export type AnyMsg = Omit<Msg, 'request' | 'response'> & {
  readonly request: MessageTable;
  readonly response: MessageTable;
};

/** Message format of the signers of the ecosystem: the type URL of the network, and the form. */
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
 * Creates the message for a signer that encodes it with a registry, for example one of `registryTypes`.
 *
 * @param value omitted members have the defaults of the message
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
 * Encodes the message, for callers who build the transaction themselves.
 *
 * @throws CodecError when a value cannot be written, with its field
 */
export function packMsg<I>(msg: Msg<I>, value: PartialForm<I>, naming: Naming = identityNaming): PackedMsg {
  return { typeUrl: naming.typeToWire(msg.typeUrl), value: encodeBinary(msg.request, value, naming) };
}

/**
 * Codec of a message for registries of the ecosystem. Its types are open, because the writer and reader classes there
 * differ by release and have private members. The result of `encode` supports `finish()`.
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
 * Entries for a signer's registry: type URL of the network and codec. `new Registry(registryTypes(allMsgs, naming))`
 * makes @cosmjs/proto-signing encode every message with the tables of this package.
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
    // The encoder accepts partial forms.
    fromPartial: (value: unknown) => value,
  };
}

// How the value of a field is held. The generator emits this file as it is for the packages that it generates, so that the
// tables, their readers and the generator use the same types.

/** A value without parts of its own. */
export type ScalarKind =
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'sint32'
  | 'fixed32'
  | 'sfixed32'
  | 'int64'
  | 'uint64'
  | 'sint64'
  | 'fixed64'
  | 'sfixed64'
  | 'float'
  | 'double'
  | 'string'
  | 'bytes'
  /** `bytes` printed as upper-case hex text by the gateway. */
  | 'hex'
  /** `bytes` that hold a JSON text, printed inline by the gateway. */
  | 'rawJson'
  /** Integer of any size, base-10 text everywhere. */
  | 'int'
  /** Decimal: text scaled by 10^18 on the wire, decimal text with 18 digits in JSON and in the form. */
  | 'dec'
  /** Like `dec`, with wire type `bytes` instead of `string`. */
  | 'decBytes'
  /** Decimal text, on the wire too. */
  | 'decText'
  | 'timestamp'
  | 'duration';

/** A single value: the element of a list, the value of a map, or a field itself. */
export type ValueShape<Message, Enum, Any> =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'enum'; readonly enum: Enum }
  /** `any` names the implementations that the field is known to carry; absent if none is known. */
  | { readonly kind: 'any'; readonly any?: Any | undefined };

/**
 * Discriminated by `kind`. `Message`, `Enum` and `Any` refer to what the field holds: names in the generator, tables in a reader.
 */
export type FieldShape<Message, Enum, Any> =
  | ValueShape<Message, Enum, Any>
  | { readonly kind: 'map'; readonly key: ScalarKind; readonly value: ValueShape<Message, Enum, Any> };

/** How a value is held on the wire, in JSON and in the decoded form. */
export type Kind = FieldShape<never, never, never>['kind'];

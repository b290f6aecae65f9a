// Types for the representation of field values. The generator copies this file unchanged into the packages that it generates.
// So the generator, the generated tables and the readers of these tables use the same types.

/** A value without nested values. */
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
  /** `bytes` that the gateway prints as upper-case hexadecimal text. */
  | 'hex'
  /** `bytes` that contain a JSON text, which the gateway prints inline. */
  | 'rawJson'
  /** Integer of any size, represented as decimal text everywhere. */
  | 'int'
  /** Decimal: text scaled by 10^18 on the wire, decimal text with 18 fractional digits in JSON and in the decoded form. */
  | 'dec'
  /** Like `dec`, but with wire type `bytes` instead of `string`. */
  | 'decBytes'
  /** Decimal number, represented as decimal text on the wire as well. */
  | 'decText'
  | 'timestamp'
  | 'duration';

/** A single value: the element of a list, the value of a map, or a field itself. */
export type ValueShape<Message, Enum, Any> =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'enum'; readonly enum: Enum }
  /** `any` lists the known implementations that the field can contain; absent if none is known. */
  | { readonly kind: 'any'; readonly any?: Any | undefined };

/**
 * Shape of a field, discriminated by `kind`. `Message`, `Enum` and `Any` refer to the types of its values: names in the
 * generator, tables in a reader.
 */
export type FieldShape<Message, Enum, Any> =
  | ValueShape<Message, Enum, Any>
  | { readonly kind: 'map'; readonly key: ScalarKind; readonly value: ValueShape<Message, Enum, Any> };

/** Representation of a value on the wire, in JSON and in the decoded form. */
export type Kind = FieldShape<never, never, never>['kind'];

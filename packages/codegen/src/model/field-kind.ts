import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';

import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';
import { ownValue } from '../own-value.js';
import type { ScalarKind } from './field.js';
import type { ValueModel } from './model.js';

const scalarKinds: Readonly<Record<ScalarType, ScalarKind>> = {
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.FLOAT]: 'float',
  [ScalarType.INT64]: 'int64',
  [ScalarType.UINT64]: 'uint64',
  [ScalarType.INT32]: 'int32',
  [ScalarType.FIXED64]: 'fixed64',
  [ScalarType.FIXED32]: 'fixed32',
  [ScalarType.BOOL]: 'bool',
  [ScalarType.STRING]: 'string',
  [ScalarType.BYTES]: 'bytes',
  [ScalarType.UINT32]: 'uint32',
  [ScalarType.SFIXED32]: 'sfixed32',
  [ScalarType.SFIXED64]: 'sfixed64',
  [ScalarType.SINT32]: 'sint32',
  [ScalarType.SINT64]: 'sint64',
};

const ownForms: Readonly<Record<string, 'timestamp' | 'duration'>> = {
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/** Shape of a value of a message type. Some types have a special form. `accepts` lists the interfaces that an `Any` accepts. */
export function messageShape(typeName: string, accepts?: readonly string[]): ValueModel {
  if (typeName === 'google.protobuf.Any') return { kind: 'any', ...(accepts && { any: accepts }) };
  const kind = ownValue(ownForms, typeName);
  return kind === undefined ? { kind: 'message', message: typeName } : { kind };
}

/** Kind of a scalar, without regard to options. */
export function scalarKind(scalar: ScalarType): ScalarKind {
  return scalarKinds[scalar];
}

/**
 * Kind of a scalar field, from its type and the options that the node's code generator follows. Options for custom number
 * types set the scale. Options for hexadecimal text and raw JSON set the text that the gateway prints.
 */
export function fieldKind(field: DescField, scalar: ScalarType, linked: Linked, spec: Spec): ScalarKind {
  return customKind(field, scalar, linked, spec) ?? scalarKinds[scalar];
}

function customKind(field: DescField, scalar: ScalarType, linked: Linked, spec: Spec): ScalarKind | undefined {
  const options = field.proto.options;
  const customType = linked.option(options, 'gogoproto.customtype') as string | undefined;
  const last = customType?.split('.').at(-1);
  const isBytes = scalar === ScalarType.BYTES;
  if (last === 'Int') return 'int';
  if (last === 'Dec' || last === 'LegacyDec') return isBytes ? 'decBytes' : 'dec';
  const castType = linked.option(options, 'gogoproto.casttype') as string | undefined;
  if (castType?.split('.').at(-1) === 'HexBytes') return 'hex';
  if (castType?.split('.').at(-1) === 'RawContractMessage') return 'rawJson';
  const text = spec.options.decimal_text;
  if (text && scalar === ScalarType.STRING && linked.option(options, text.option) === text.value) return 'decText';
  return undefined;
}

/** Whether the node stores the field by value. Such a field is on the wire even if it is zero. */
export function isAlways(field: DescField, linked: Linked): boolean {
  if (field.fieldKind === 'map' || field.oneof) return false;
  if (field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED) return true;
  const options = field.proto.options;
  if (linked.option(options, 'gogoproto.nullable') !== false) return false;
  return field.message !== undefined || linked.option(options, 'gogoproto.customtype') !== undefined;
}

/** Whether a scalar or enum field distinguishes absent from zero. */
export function isOptional(field: DescField): boolean {
  if (field.oneof || (field.fieldKind !== 'scalar' && field.fieldKind !== 'enum')) return false;
  // In descriptors (package google.protobuf), nodes print absent fields as zero.
  if (field.parent.file.proto.package === 'google.protobuf') return false;
  return field.presence === FeatureSet_FieldPresence.EXPLICIT;
}

/** Whether the value is a group on the wire: enclosed by a start and an end tag, without a length. */
export function isGroup(field: DescField): boolean {
  if (field.fieldKind === 'message') return field.delimitedEncoding;
  return field.fieldKind === 'list' && field.listKind === 'message' && field.delimitedEncoding;
}

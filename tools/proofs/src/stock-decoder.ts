import { readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicNaming } from '@hubwatch/client';
import { anyMember } from '@hubwatch/types/runtime/any';
import { decFromScaled, zeroInt } from '@hubwatch/types/runtime/dec';
import { defaultForm } from '@hubwatch/types/runtime/default-form';
import { memberOf } from '@hubwatch/types/runtime/form-member';
import type { Field, FieldOf, MessageTable } from '@hubwatch/types/runtime/table';
import { timestampOf } from '@hubwatch/types/runtime/time';
import type { Timestamp } from '@hubwatch/types/runtime/values';
import { neutralText } from './network-words.js';

type Form = Readonly<Record<string, unknown>>;

interface StockCodec {
  decode(bytes: Uint8Array): Form;
  encode(message: Form): { finish(): Uint8Array };
}

/** Decodes with the codecs of ts-proto, an independent reader of the same bytes. */
export type StockDecoder = (table: MessageTable, bytes: Uint8Array) => Form | undefined;

/** Reads bytes with ts-proto and writes them again with ts-proto. */
export type StockWriter = (table: MessageTable, bytes: Uint8Array) => Uint8Array | undefined;

export interface StockCodecs {
  readonly decode: StockDecoder;
  readonly rewrite: StockWriter;
}

/** Folder of the messages that ts-proto makes; Nx builds it. */
export const oracleFolder = fileURLToPath(new URL('../../oracle/gen/messages', import.meta.url));

/** Loads the messages of the oracle; `undefined` from the decoder or the writer means that a message has none. */
export async function loadStockCodecs(): Promise<StockCodecs> {
  const codecs = new Map<string, StockCodec>();
  for (const entry of readdirSync(oracleFolder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const path = relative(oracleFolder, `${entry.parentPath}/${entry.name}`).replace(/\.ts$/, '').replaceAll('\\', '/');
    const module = (await import(`@hubwatch/oracle/${path}`)) as Record<string, unknown>;
    // The file lies in the folder of its package: `hub/node/v3/node` holds `hub.node.v3.Node`.
    const prefix = path.split('/').slice(0, -1).join('.');
    for (const [name, value] of Object.entries(module)) {
      if (isCodec(value)) codecs.set(`${prefix}.${name.replaceAll('_', '.')}`, value);
    }
  }
  const decode: StockDecoder = (table, bytes) => {
    const codec = codecs.get(table.name);
    return codec === undefined ? undefined : formOf(table, codec.decode(bytes), decode);
  };
  const rewrite: StockWriter = (table, bytes) => {
    const codec = codecs.get(table.name);
    return codec?.encode(codec.decode(bytes)).finish();
  };
  return { decode, rewrite };
}

function isCodec(value: unknown): value is StockCodec {
  return typeof value === 'object' && value !== null && 'decode' in value && typeof value.decode === 'function';
}

/** What the one decoded form makes of a wire message. */
function formOf(table: MessageTable, message: Form, decode: StockDecoder): Form {
  const form: Record<string, unknown> = {};
  for (const field of table.fields) {
    const member = memberOf(field);
    const held = message[member];
    const one = (value: unknown): unknown => valueOf(field, value, decode);
    if (field.oneof !== undefined) {
      const chosen = held as { $case: string; value: unknown } | undefined;
      if (chosen?.$case === field.prop) form[member] = { $case: field.prop, value: one(chosen.value) };
      else form[member] ??= undefined;
    } else if (field.kind === 'map') form[member] = held;
    else form[member] = field.repeated ? (held as unknown[]).map(one) : one(held);
  }
  return table.carries === undefined ? form : neutralEvent(form);
}

function neutralEvent({ type, attributes, ...rest }: Form): Form {
  return {
    ...rest,
    type: neutralText(type as string),
    attributes: (attributes as readonly { readonly value: string }[]).map((attribute) => ({
      ...attribute,
      value: neutralText(attribute.value),
    })),
  };
}

function valueOf(field: Field, value: unknown, decode: StockDecoder): unknown {
  switch (field.kind) {
    case 'string':
      return field.carries === undefined ? value : neutralText(value as string);
    case 'message': {
      const table = field.message();
      if (value === undefined) return field.always ? defaultForm(table) : undefined;
      return formOf(table, value as Form, decode);
    }
    case 'any':
      return value === undefined ? undefined : anyOf(field, value as { typeUrl: string; value: Uint8Array }, decode);
    case 'timestamp':
      return value === undefined ? undefined : timeOf(value as Timestamp);
    case 'duration':
      return value === undefined && field.always ? { seconds: 0n, nanos: 0 } : value;
    case 'int':
      return value === '' ? zeroInt : value;
    case 'dec':
      return decFromScaled(value as string);
    case 'decBytes':
      return decFromScaled(Buffer.from(value as Uint8Array).toString());
    case 'bytes':
    case 'hex':
    case 'rawJson':
      return Uint8Array.from(value as Uint8Array);
    default:
      return value;
  }
}

function timeOf({ seconds, nanos }: Timestamp): Timestamp | undefined {
  return timestampOf(seconds, nanos);
}

function anyOf(field: FieldOf<'any'>, any: { typeUrl: string; value: Uint8Array }, decode: StockDecoder): unknown {
  const typeUrl = publicNaming.typeFromWire(any.typeUrl);
  const table = anyMember(field, typeUrl);
  if (table === undefined) return { typeUrl, raw: Uint8Array.from(any.value) };
  return { typeUrl, value: decode(table, any.value) };
}

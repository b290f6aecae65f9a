import { queries } from '@hubwatch/types/gen/events/names';
import { type RpcParamKind, rpcParamKinds } from '@hubwatch/types/gen/rpc/methods';
import { fromHex, toBase64, toHex } from '@hubwatch/types/runtime/base64';
import { CodecError } from '@hubwatch/types/runtime/codec-error';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { HttpRequest } from '../http/send.js';
import { type EventQuery, searchText } from '../websocket/event-query.js';
import type { RpcMethod } from './params.js';
import { refusedMethods } from './refused-methods.js';

let lastId = 0;

/** A call as an HTTP request, with the id of its response. */
export interface RpcRequest extends HttpRequest {
  readonly id: number;
}

/**
 * Writes a call. `params` is always an object: if the member is missing, the node's handler panics.
 *
 * @source proto/spec/rpc.yaml, transports.post
 */
export function postRpc(
  base: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
): RpcRequest {
  const { id, text } = rpcCall(method, params);
  return { id, ...postBody(base, text, headers) };
}

/** A call as JSON text, with a new id. */
export function rpcCall(method: string, params: Readonly<Record<string, unknown>>): { id: number; text: string } {
  const id = ++lastId;
  return { id, text: JSON.stringify({ jsonrpc: '2.0', id, method, params }) };
}

export function postBody(base: string, body: string, headers: Readonly<Record<string, string>> = {}): HttpRequest {
  return { verb: 'POST', url: `${base}/`, headers: { ...headers, 'content-type': 'application/json' }, body };
}

/**
 * Parameters in the form of JSON-RPC.
 *
 * @throws CodecError for a parameter that the method does not have or of the wrong type
 * @source proto/spec/rpc.yaml, encodings
 */
export function writeParams(method: RpcMethod, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kinds: Readonly<Record<string, RpcParamKind>> | undefined = Object.hasOwn(rpcParamKinds, method)
    ? rpcParamKinds[method]
    : undefined;
  if (kinds === undefined) {
    const known = Object.keys(rpcParamKinds).filter((name) => !Object.hasOwn(refusedMethods, name));
    throw new CodecError(`${method} is no method over HTTP; there are ${known.join(', ')}`);
  }
  const written: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(params)) {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
    if (kind === undefined) {
      throw new CodecError(`${method} has no parameter ${name}; it has ${Object.keys(kinds).join(', ') || 'none'}`);
    }
    if (value !== undefined) written[name] = writeParam(kind, value, name);
  }
  return written;
}

/** Replaces the names in the parameters that `writeParams` wrote by wire names. */
export function nameParams(
  method: RpcMethod,
  params: Readonly<Record<string, unknown>>,
  naming: Naming,
): Record<string, unknown> {
  const kinds: Readonly<Record<string, RpcParamKind>> = rpcParamKinds[method];
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (kinds[name] === 'event-query') return [name, queries.toWire(value as string, naming)];
      return [name, kinds[name] === 'method-path' ? naming.typeToWire(value as string) : value];
    }),
  );
}

function writeParam(kind: RpcParamKind, value: unknown, name: string): unknown {
  switch (kind) {
    case 'int':
      if (typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)) {
        return String(value);
      }
      break;
    case 'event-query':
      if (typeof value === 'object' && value !== null) return searchText(value as EventQuery);
      if (typeof value === 'string') return value;
      break;
    case 'string':
    case 'method-path':
      if (typeof value === 'string') return value;
      break;
    case 'bool':
      if (typeof value === 'boolean') return value;
      break;
    case 'bytes':
      if (value instanceof Uint8Array) return toBase64(value);
      if (name === 'hash' && isHex(value)) return toBase64(fromHex(value.replace(/^0x/i, '')));
      break;
    case 'hex':
      if (value instanceof Uint8Array) return toHex(value);
      if (name === 'hash' && isHex(value)) return value.replace(/^0x/i, '').toUpperCase();
      break;
    default:
      return value;
  }
  throw new CodecError(`${name} is of kind ${kind}, which ${typeof value} ${String(value)} is not`);
}

/** Whether the value is a hash in the form of explorers. */
function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^(?:0x)?(?:[0-9a-f]{2})+$/i.test(value);
}

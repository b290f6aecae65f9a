import { type RpcParamKind, rpcParamKinds } from '@hubwatch/types/gen/rpc/methods';
import { fromBase64 } from '@hubwatch/types/runtime/base64';
import { toHex } from '@hubwatch/types/runtime/base64';
import type { RpcMethod } from './params.js';
import type { RpcRequest } from './request.js';

/** Id of every response to a URI call. */
const uriId = -1;

/**
 * Writes a call as a GET of the method's own path.
 *
 * @param params in the form of JSON-RPC, see `writeParams`
 * @source proto/spec/rpc.yaml, transports.uri and encodings
 */
export function uriRpc(
  base: string,
  method: RpcMethod,
  params: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): RpcRequest {
  const kinds: Readonly<Record<string, RpcParamKind>> = rpcParamKinds[method];
  const query = Object.entries(params).map(
    ([name, value]) => `${name}=${encodeURIComponent(uriValue(kinds[name] ?? 'json', value))}`,
  );
  return {
    id: uriId,
    verb: 'GET',
    url: `${base}/${method}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers,
  };
}

function uriValue(kind: RpcParamKind, value: unknown): string {
  switch (kind) {
    // Bare digits, and bare true or false.
    case 'int':
    case 'bool':
      return String(value);
    case 'bytes':
      return `0x${toHex(fromBase64(value as string))}`;
    case 'hex':
      return `0x${value as string}`;
    default:
      return JSON.stringify(value);
  }
}

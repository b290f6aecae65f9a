// JSON-RPC envelopes: parses the calls in a body, runs them and formats the responses.
import { NotRecordedError } from '../../chain/block-stream.js';
import { goJson, rawItems, rawMembers, wholeJsonValue } from './go-json.js';
import type { RpcMethod, RpcMethods } from './method.js';
import { type Args, jsonArgs } from './params.js';
import { failure, RpcError, rpcCode, RpcPanic } from './rpc-error.js';

/** JSON text of an id, inserted verbatim into the response. */
export type IdText = string;

export interface Call {
  readonly id: IdText;
  readonly method: string;
  /** Text of `params`, undefined if the member is absent. */
  readonly params: string | undefined;
}

const structText =
  'struct { JSONRPC string "json:\\"jsonrpc\\""; ID interface {} "json:\\"id,omitempty\\""; ' +
  'Method string "json:\\"method\\""; Params json.RawMessage "json:\\"params\\"" }';

/** Request ids are strings or numbers. Fractions are truncated, and large numbers lose precision like 64-bit floats. */
function idText(raw: string): IdText {
  const value: unknown = JSON.parse(raw);
  if (typeof value === 'string') return goJson(value);
  if (typeof value === 'number') {
    const whole = Math.trunc(value);
    return Math.abs(whole) < 2 ** 63 ? String(BigInt(whole)) : '-9223372036854775808';
  }
  const shown = typeof value === 'boolean' ? String(value) : Array.isArray(value) ? `[${value.join(' ')}]` : 'map[]';
  const type =
    typeof value === 'boolean' ? 'bool' : Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  throw new Error(`json-rpc ID (${shown}) is of unknown type (${type})`);
}

/** Parses one call from a request object; undefined for a notification. @throws Error with the decoder's text. */
export function readCall(raw: string): Call | undefined {
  if (raw === 'null') return undefined;
  if (!raw.startsWith('{')) {
    const value: unknown = JSON.parse(raw);
    const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    throw new Error(`json: cannot unmarshal ${kind} into Go value of type ${structText}`);
  }
  const members = new Map([...rawMembers(raw)].map(([key, value]) => [key.toLowerCase(), value]));
  const id = members.get('id');
  const method = members.get('method');
  if (method !== undefined && !method.startsWith('"') && method !== 'null') {
    const kind = typeof JSON.parse(method);
    throw new Error(`json: cannot unmarshal ${kind} into Go struct field .method of type string`);
  }
  const call = {
    method: method === undefined || method === 'null' ? '' : (JSON.parse(method) as string),
    params: members.get('params'),
  };
  if (id === undefined || id === 'null') return undefined;
  return { id: idText(id), ...call };
}

export function resultText(id: IdText, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${typeof result === 'string' ? result : goJson(result)}}`;
}

export function errorText(id: IdText | undefined, error: RpcError): string {
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${goJson(error.toJson())}}`;
}

export interface Outcome {
  readonly text: string;
  readonly cached: boolean;
}

export function argsOf(method: RpcMethod, params: string | undefined): Args {
  if (params === undefined && method.params.length > 0) {
    throw new RpcPanic('reflect: Call with too few input arguments');
  }
  try {
    return jsonArgs(method.params, params ?? 'null');
  } catch (error) {
    throw new RpcError(rpcCode.invalidParams, (error as Error).message);
  }
}

export function isCached(method: RpcMethod, args: Args): boolean {
  return method.cache === 'always' || (method.cache === 'height' && args['height'] !== undefined);
}

/** Runs one call of a body; returns a promise only if the method waits. @throws RpcPanic, which fails the whole body. */
export function answerCall(methods: RpcMethods, call: Call): Outcome | Promise<Outcome> {
  const method = methods.get(call.method);
  if (method === undefined || method.websocketOnly === true) {
    return { text: errorText(call.id, new RpcError(rpcCode.methodNotFound)), cached: false };
  }
  let cached = false;
  try {
    const args = argsOf(method, call.params);
    cached = isCached(method, args);
    const result = method.run(args);
    if (!(result instanceof Promise)) return { text: resultText(call.id, result), cached };
    return result.then(
      (value) => ({ text: resultText(call.id, value), cached }),
      (error: unknown) => ({ text: errorText(call.id, asRpcError(error)), cached }),
    );
  } catch (error) {
    return { text: errorText(call.id, asRpcError(error)), cached };
  }
}

/** Converts a handler's error to an RPC error. @throws any other error unchanged. */
export function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  if (error instanceof NotRecordedError) return failure(error.message);
  throw error;
}

export interface BodyAnswer {
  readonly status: number;
  /** undefined: no response is sent. */
  readonly text: string | undefined;
  readonly cached: boolean;
}

/** Handles the body of a POST. */
export async function answerBody(methods: RpcMethods, body: string): Promise<BodyAnswer> {
  let calls: (Call | undefined)[];
  try {
    const { raw } = wholeJsonValue(body);
    calls = raw.startsWith('[') ? rawItems(raw).map(readCall) : [readCall(raw)];
  } catch (error) {
    const text = errorText(
      undefined,
      new RpcError(rpcCode.parse, `error unmarshaling request: ${(error as Error).message}`),
    );
    return { status: 500, text, cached: false };
  }
  try {
    const outcomes: Outcome[] = [];
    // Sequentially, like the node.
    for (const call of calls) if (call !== undefined) outcomes.push(await answerCall(methods, call));
    if (outcomes.length === 0) return { status: 200, text: undefined, cached: false };
    const texts = outcomes.map(({ text }) => text);
    const text = texts.length === 1 ? (texts[0] as string) : `[${texts.join(',')}]`;
    return { status: 200, text, cached: outcomes.every(({ cached }) => cached) };
  } catch (error) {
    if (!(error instanceof RpcPanic)) throw error;
    return { status: 500, text: errorText('-1', new RpcError(rpcCode.internal, error.message)), cached: false };
  }
}

// The application behind all interfaces: one router answers gRPC, the gateway and `abci_query`.
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import type { Naming } from '@hubwatch/types/runtime/naming';
import type { BlockView } from './block-view.js';
import { NotRecordedError } from './block-stream.js';
import { decodeRefusal } from './decode-refusal.js';
import type { NodeIdentity } from './node-identity.js';
import { QueryError } from './query-error.js';
import type { QueryHandler } from './query-handler.js';
import type { RecordForms } from './record-forms.js';

export type HeightChoice =
  | { readonly height: number }
  | { readonly refused: { readonly code: 18 | 26; readonly detail: string } };

export type Routed =
  | { readonly kind: 'method'; readonly method: AnyMethod; readonly handler: QueryHandler | undefined }
  | { readonly kind: 'unknown'; readonly message: string };

export interface AppQueryParts {
  readonly view: BlockView;
  readonly forms: RecordForms;
  readonly identity: NodeIdentity;
  readonly naming: Naming;
  readonly methods: readonly AnyMethod[];
  readonly handlers: readonly QueryHandler[];
}

const grpcNames: Readonly<Record<number, string>> = {
  2: 'Unknown',
  3: 'InvalidArgument',
  5: 'NotFound',
  12: 'Unimplemented',
  13: 'Internal',
};

export class AppQuery {
  readonly #parts: AppQueryParts;
  readonly #methods = new Map<string, AnyMethod>();
  readonly #handlers = new Map<string, QueryHandler>();
  readonly #services = new Set<string>();

  constructor(parts: AppQueryParts) {
    this.#parts = parts;
    for (const method of parts.methods) {
      this.#methods.set(`/${method.service}/${method.name}`, method);
      this.#services.add(method.service);
    }
    for (const handler of parts.handlers) this.#handlers.set(`/${handler.service}/${handler.method}`, handler);
  }

  get latest(): number {
    return this.#parts.view.bounds.lastState;
  }

  /** Resolves a wire path to a method. */
  route(path: string): Routed {
    const slash = path.lastIndexOf('/');
    if (!path.startsWith('/') || slash <= 0) {
      return { kind: 'unknown', message: `malformed method name: ${JSON.stringify(path)}` };
    }
    const service = path.slice(1, slash);
    const name = path.slice(slash + 1);
    const neutral = this.#parts.naming.typeFromWire(service);
    // A name from the other naming profile is unknown to this node.
    const known = this.#services.has(neutral) && this.#parts.naming.typeToWire(neutral) === service;
    if (!known) return { kind: 'unknown', message: `unknown service ${service}` };
    const method = this.#methods.get(`/${neutral}/${name}`);
    if (method === undefined) return { kind: 'unknown', message: `unknown method ${name} for service ${service}` };
    return { kind: 'method', method, handler: this.#handlers.get(`/${neutral}/${name}`) };
  }

  /** Checks whether the state at a height can be read. Height 0 is the latest. */
  chooseHeight(height: bigint): HeightChoice {
    const { firstHeight, firstState, lostStates, starting } = this.#parts.view.bounds;
    const latest = this.latest;
    const refuse = (code: 18 | 26, detail: string): HeightChoice => ({ refused: { code, detail } });
    if (starting === true) {
      return refuse(26, `${this.#parts.identity.application} is not ready; please wait for first block`);
    }
    if (height === 0n) return { height: latest };
    if (height < 0n) return refuse(18, 'cannot query with height < 0; please provide a valid height');
    if (height > BigInt(latest)) {
      return refuse(26, 'cannot query with height in the future; please provide a valid height');
    }
    const unloadable = (why: string): HeightChoice =>
      refuse(18, `failed to load state at height ${height}; ${why} (latest height: ${latest})`);
    if (height < BigInt(firstHeight)) return unloadable('no commit info found');
    if (height < BigInt(firstState)) {
      return unloadable(
        'version mismatch on immutable IAVL tree; version does not exist. ' +
          'Version has either been pruned, or is for a future block height',
      );
    }
    if (lostStates?.has(Number(height)) === true) return unloadable('version does not exist');
    return { height: Number(height) };
  }

  /** Answers a routed call. @throws QueryError with the handler's code and text. */
  call(routed: Extract<Routed, { kind: 'method' }>, message: Uint8Array, height: number): Uint8Array {
    const { method, handler } = routed;
    const { naming, view, forms, identity } = this.#parts;
    let request: unknown;
    try {
      request = decodeBinary(method.request, message, naming);
    } catch {
      throw new RequestError(decodeRefusal(method.request, message));
    }
    const response = this.run(method, handler, request, height, { view, forms, identity });
    return encodeBinary(method.response, response, naming);
  }

  /** Runs a handler on a decoded request. */
  run(
    method: AnyMethod,
    handler: QueryHandler | undefined,
    request: unknown,
    height: number,
    parts: Pick<AppQueryParts, 'view' | 'forms' | 'identity'> = this.#parts,
  ): unknown {
    if (!method.availability.grpc.served) throw new QueryError(12, '');
    if (handler === undefined) throw notRecorded(method);
    const state = parts.view.playback.state(height);
    try {
      return handler.run(request, { height, state, ...parts });
    } catch (error) {
      if (error instanceof NotRecordedError) throw new QueryError(13, error.message);
      throw error;
    }
  }

  /** Runs `abci_query` by path and returns the `response` member of the result. */
  abci(path: string, data: Uint8Array, height: bigint): unknown {
    if (path === '/app/version')
      return this.#abciValue(Buffer.from(this.#parts.identity.applicationVersion), this.latest, 'sdk');
    if (/^\/?p2p\/filter\/(?:addr|id)\//.test(path)) return abciError(0, '', 0, '');
    const parts = path.split('/').filter((part) => part !== '');
    if (path === '') return abciError(6, 'no query path provided: unknown request', 0);
    if (parts[0] === 'app') return abciError(6, `unknown query: [${parts.join(' ')}]: unknown request`, 0);
    if (parts[0] === 'store') return abciError(6, `no such store: ${parts[1] ?? ''}: unknown request`, this.latest);
    const routed = this.route(path);
    const served = routed.kind === 'method' && !/reflection\.(?:v1alpha|v2alpha1)\./.test(routed.method.service);
    if (!served) return abciError(6, 'unknown query path: unknown request', 0);
    const chosen = this.chooseHeight(height);
    if ('refused' in chosen) {
      const { code, detail } = chosen.refused;
      return abciError(code, `${detail}: ${code === 26 ? 'invalid height' : 'invalid request'}`, 0);
    }
    try {
      return this.#abciValue(this.call(routed, data, chosen.height), chosen.height, '');
    } catch (error) {
      return queryFailure(error, chosen.height);
    }
  }

  #abciValue(value: Uint8Array, height: number, codespace: string): unknown {
    const base64 = value.length === 0 ? null : Buffer.from(value).toString('base64');
    return { ...abciError(0, '', height, codespace), value: base64 };
  }
}

/** The request bytes do not decode as the method's request type. */
export class RequestError extends Error {}

/**
 * Error for a method that a replay cannot answer: recordings contain the hub's own state, not that of every framework
 * module.
 */
function notRecorded(method: AnyMethod): QueryError {
  return new QueryError(13, `${method.service}/${method.name} reads state that this recording does not hold`);
}

function abciError(code: number, log: string, height: number, codespace = 'sdk'): Record<string, unknown> {
  return {
    code,
    log,
    info: '',
    index: '0',
    key: null,
    value: null,
    proofOps: null,
    height: String(height),
    codespace,
  };
}

function queryFailure(error: unknown, height: number): unknown {
  if (error instanceof RequestError) return abciError(18, `${error.message}: invalid request`, height);
  if (!(error instanceof QueryError)) throw error;
  const text = `rpc error: code = ${grpcNames[error.code] ?? 'Unknown'} desc = ${error.message}`;
  if (error.code === 5) return abciError(22, `${text}: key not found`, height);
  if (error.code === 3) return abciError(18, `${text}: invalid request`, height);
  return abciError(6, `${text}: unknown request`, height);
}

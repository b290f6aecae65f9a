// Recorded results of the consensus RPC by method and arguments, independent of transport and request id.
import { rawMembers, wholeJsonValue } from '../servers/rpc/go-json.js';
import type { RpcMethod, RpcMethods } from '../servers/rpc/method.js';
import { type Args, jsonArgs, uriArgs } from '../servers/rpc/params.js';
import { failure } from '../servers/rpc/rpc-error.js';
import type { RpcRow } from './rows.js';

type Outcome = { readonly result: string } | { readonly failure: string };

function keyOf(name: string, args: Args): string {
  const shown = Object.entries(args).map(([key, value]) => {
    if (typeof value === 'bigint') return [key, String(value)];
    return [key, value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value];
  });
  return `${name} ${JSON.stringify(shown)}`;
}

/** Results that depend on the time of the call: the newest recording applies. */
export class CallBook {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #plain = new Set<RpcRow>();

  constructor(rows: readonly RpcRow[], methods: RpcMethods) {
    for (const row of rows) {
      const { request, response } = row;
      if (response.error !== undefined || response.cut === true) continue;
      try {
        const asked = this.#asked(request, methods);
        const outcome = asked === undefined ? undefined : outcomeOf(response.body);
        if (asked === undefined || outcome === undefined) continue;
        this.#outcomes.set(asked, outcome);
        this.#plain.add(row);
      } catch {
        // The request or answer is not a plain call, so it can only be matched by its exact bytes.
      }
    }
  }

  /** Whether the row is a plain call, which this book can answer instead of the row. */
  holds(row: RpcRow): boolean {
    return this.#plain.has(row);
  }

  /** Wraps methods so that recorded calls return the recorded result and all others behave as before. */
  over(methods: RpcMethods): RpcMethods {
    const recorded = (method: RpcMethod): RpcMethod => ({
      ...method,
      run: (args) => {
        const outcome = this.#outcomes.get(keyOf(method.name, args));
        if (outcome === undefined) return method.run(args);
        if ('failure' in outcome) throw failure(outcome.failure);
        return outcome.result;
      },
    });
    return new Map([...methods].map(([name, method]) => [name, recorded(method)]));
  }

  #asked(request: RpcRow['request'], methods: RpcMethods): string | undefined {
    const [path = '', query = ''] = request.path.split('?');
    if (request.body === null && path !== '/') {
      const method = methods.get(path.slice(1));
      return method === undefined ? undefined : keyOf(method.name, uriArgs(method.params, new URLSearchParams(query)));
    }
    if (typeof request.body !== 'string' || path !== '/') return undefined;
    const members = rawMembers(wholeJsonValue(request.body).raw);
    const method = methods.get(JSON.parse(members.get('method') ?? '""') as string);
    return method === undefined
      ? undefined
      : keyOf(method.name, jsonArgs(method.params, members.get('params') ?? 'null'));
  }
}

function outcomeOf(body: string): Outcome | undefined {
  const members = rawMembers(wholeJsonValue(body).raw);
  const result = members.get('result');
  if (result !== undefined) return { result };
  const error = JSON.parse(members.get('error') ?? '{}') as { code?: number; data?: string };
  return error.code === -32603 && error.data !== undefined ? { failure: error.data } : undefined;
}

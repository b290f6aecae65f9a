import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { HubError } from './error.js';
import { type AnyTransport, explainByHead, type Head, mayBeStopped, readHead } from './heights.js';
import type { RpcCall, RpcOutcome } from './rpc/batch.js';
import type { RpcClient } from './rpc/client.js';
import type { CallOptions, Transport } from './transport.js';

/** Maximum time that the query of the head may delay a refusal. */
const lookMs = 2_000;

/**
 * Queries the head of a node when it refuses a future height, so that the error is `stopped_for_upgrade` if that is the
 * cause. The refusal itself is the same as for a block that will exist in a second. Takes two reads, or three on a
 * stopped chain. Concurrent refusals share them.
 */
export class HeightExplainer {
  private readonly ways: readonly AnyTransport[];
  private looking: Promise<Head | undefined> | undefined;

  /** @param ways transports to query the head with; the first that responds is used */
  constructor(ways: readonly AnyTransport[]) {
    this.ways = ways;
  }

  /** Wraps a transport so that its refusals are explained. */
  ofQueries<T extends AnyTransport>(transport: T): T {
    const plain = transport as Transport<'grpc'>;
    const explained = <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, options: CallOptions = {}) =>
      plain.call(method, request, options).catch(async (error: unknown) => {
        throw await this.explain(error);
      });
    return { ...transport, call: explained };
  }

  /** Wraps the consensus RPC so that its refusals are explained. */
  ofRpc(rpc: RpcClient): RpcClient {
    return {
      ...rpc,
      call: (method, params, options) =>
        rpc.call(method, params, options).catch(async (error: unknown) => {
          throw await this.explain(error);
        }),
      batch: async <const C extends readonly RpcCall[]>(calls: C, options?: Omit<CallOptions, 'height'>) => {
        const outcomes = await rpc.batch(calls, options);
        const explained = (outcomes as readonly RpcOutcome<RpcCall['method']>[]).map(async (outcome) =>
          outcome.ok ? outcome : { ok: false, error: await this.explain(outcome.error) },
        );
        return (await Promise.all(explained)) as unknown as typeof outcomes;
      },
    };
  }

  private async explain(error: unknown): Promise<unknown> {
    if (!(error instanceof HubError) || !mayBeStopped(error)) return error;
    this.looking ??= this.look().finally(() => {
      this.looking = undefined;
    });
    const head = await this.looking;
    return head === undefined ? error : (explainByHead(error, head) ?? error);
  }

  private async look(): Promise<Head | undefined> {
    const endsAtMs = performance.now() + lookMs;
    for (const way of this.ways) {
      const timeoutMs = Math.ceil(endsAtMs - performance.now());
      if (timeoutMs <= 0) break;
      // If the head cannot be read, the refusal itself remains valid.
      const head = await readHead(way, { timeoutMs }).catch(() => undefined);
      if (head !== undefined) return head;
    }
    return undefined;
  }
}

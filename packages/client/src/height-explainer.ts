import type { AnyMethod, RequestOf } from '@hubwatch/types/runtime/method';
import { HubError } from './error.js';
import { type AnyTransport, explainByHead, type Head, mayBeStopped, readHead } from './heights.js';
import type { RpcCall, RpcOutcome } from './rpc/batch.js';
import type { RpcClient } from './rpc/client.js';
import type { CallOptions, Transport } from './transport.js';

/** Longest time that a refusal is held back by the look at the head. */
const lookMs = 2_000;

/**
 * Looks at the head of a node when it refuses a height to come, so that the refusal says `stopped_for_upgrade` where that is
 * why: the refusal itself reads alike for a block that comes in a second. Two reads, three on a chain that is stopped; refusals
 * that come meanwhile share them.
 */
export class HeightExplainer {
  private readonly ways: readonly AnyTransport[];
  private looking: Promise<Head | undefined> | undefined;

  /** @param ways to ask the node for its head; the first that answers is believed */
  constructor(ways: readonly AnyTransport[]) {
    this.ways = ways;
  }

  /** The transport, whose refusals are looked at closer. */
  ofQueries<T extends AnyTransport>(transport: T): T {
    const plain = transport as Transport<'grpc'>;
    const explained = <M extends AnyMethod>(method: M, request: RequestOf<M, 'grpc'>, options: CallOptions = {}) =>
      plain.call(method, request, options).catch(async (error: unknown) => {
        throw await this.explain(error);
      });
    return { ...transport, call: explained };
  }

  /** The consensus RPC, whose refusals are looked at closer. */
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
      // A node that cannot say where it stands has refused all the same.
      const head = await readHead(way, { timeoutMs }).catch(() => undefined);
      if (head !== undefined) return head;
    }
    return undefined;
  }
}

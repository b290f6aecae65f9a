import { connect, type ErrorCode, HubError, publicNaming, type Transport } from '@hubwatch/client';
import { startDevnode } from '@hubwatch/devnode';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import { knownMethods } from './known-methods.js';
import type { ReadGroup, ReadRow } from './recordings.js';

type Row = ReadRow & { readonly node: string };

/** A refusal as received by the client, from the bytes of a real node over a real connection. */
export interface MetRefusal {
  readonly group: string;
  readonly row: Row;
  readonly rows: ReadGroup;
  readonly code: ErrorCode | 'ok';
  readonly text: string;
}

const nodes = ['archive', 'pruned'] as const;
const kinds = ['grpc', 'rest', 'abci'] as const;

/** Repeats recorded requests through the client's own transports, and yields the resulting refusals. */
export async function* refusalsOverSockets(
  groups: ReadonlyMap<string, { readonly all: readonly Row[]; readonly byTransport: ReadGroup }>,
): AsyncGenerator<MetRefusal> {
  for (const name of nodes) {
    const node = await startDevnode({ mode: 'recorded', node: name, repeats: 'last' });
    // A separate connection for each, because the response over this transport is judged. A node may have been recorded
    // both before and after it stopped.
    const alone = { naming: publicNaming, explainHeights: false };
    const [grpc, rest, abci] = [
      connect({ ...alone, grpc: node.grpc }),
      connect({ ...alone, rest: node.rest }),
      connect({ ...alone, rpc: node.rpc }),
    ];
    const ways = { grpc: grpc.grpc, rest: rest.rest, abci: abci.abci };
    try {
      for (const [group, { all, byTransport }] of groups) {
        const asked = askedOf(group, byTransport, name);
        if (asked === undefined) continue;
        for (const kind of kinds) {
          const row = all.find((one) => one.transport === kind && one.node === name);
          if (row === undefined || !asked.method.availability[kind].served) continue;
          // The simulated node matches a recorded abci_query by the exact bytes of its body. For requests built by the
          // client it answers only those of the hub.
          if (kind === 'abci' && !asked.method.service.startsWith('hub.')) continue;
          const met = await meet(ways[kind], asked);
          // Requests that the client cannot encode or does not send never reached the node.
          if (met !== undefined) yield { group, row, rows: byTransport, ...met };
        }
      }
    } finally {
      await Promise.all([grpc, rest, abci].map((connection) => connection.close()));
      await node.close();
    }
  }
}

interface Asked {
  readonly method: NonNullable<ReturnType<typeof knownMethods.get>>;
  readonly form: object;
  readonly height: bigint | undefined;
}

/** A call that a client can make, from a group whose gRPC row was refused by this node. */
function askedOf(group: string, { grpc }: ReadGroup, node: string): Asked | undefined {
  const method = knownMethods.get(grpc?.neutral_method ?? '');
  if (method === undefined || grpc === undefined || !group.includes('#') || (grpc as Row).node !== node)
    return undefined;
  if (!grpc.got.code || grpc.sent.message === undefined || (grpc.height !== null && !/^\d{1,18}$/.test(grpc.height)))
    return undefined;
  const form = decodeBinary(method.request, Buffer.from(grpc.sent.message, 'base64'), publicNaming) as object;
  return { method, form, height: grpc.height === null ? undefined : BigInt(grpc.height) };
}

async function meet(
  transport: Transport,
  { method, form, height }: Asked,
): Promise<Pick<MetRefusal, 'code' | 'text'> | undefined> {
  try {
    await transport.call(method, form, { height });
    return { code: 'ok', text: '' };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const isOfNode = Object.keys(error.raw).length > 0;
    return isOfNode ? { code: error.code, text: error.raw.text ?? '' } : undefined;
  }
}

// A gRPC server for large lists in a separate process. With the argument `moving` its chain moves during the read:
// every session gains one byte at each height.
import { Metadata, Server, ServerCredentials, type UntypedHandleCall } from '@grpc/grpc-js';
import { publicNaming } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { getBlockByHeight, getLatestBlock } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { largeLists } from './large-lists.js';
import { smallLists } from './small-lists.js';
import { chainId, firstHeight } from './world.js';

/** Number of requests per block. */
const requestsPerBlock = 7;
const heightHeader = publicNaming.headerToWire('x-stack-block-height');
const isMoving = process.argv[2] === 'moving';
const began = Date.now();
let requests = 0;
const head = (): number => firstHeight + (isMoving ? Math.floor(requests / requestsPerBlock) : 0);

const server = new Server({ 'grpc.max_send_message_length': -1 });
const identity = (bytes: Buffer): Buffer => bytes;

interface Call {
  readonly request: Buffer;
  readonly metadata: Metadata;
  sendMetadata(metadata: Metadata): void;
}

function serve(method: AnyMethod, answer: (request: Buffer, height: number) => Buffer): void {
  const handle = ((call: Call, done: (error: null, answer: Buffer) => void) => {
    requests++;
    const [asked] = call.metadata.get(heightHeader);
    const height = asked === undefined ? head() : Number(asked);
    const metadata = new Metadata();
    metadata.set(heightHeader, String(height));
    call.sendMetadata(metadata);
    done(null, answer(call.request, height));
  }) as unknown as UntypedHandleCall;
  const path = `${publicNaming.typeToWire(`/${method.service}`)}/${method.name}`;
  server.register(path, handle as never, identity as never, identity, 'unary');
}

for (const list of [...largeLists(), ...smallLists()]) {
  serve(list.method, (request, height) => {
    const { pagination } = decodeBinary(list.method.request, request) as {
      pagination?: { key: Uint8Array; limit: bigint };
    };
    const from = Number(Buffer.from(pagination?.key ?? []).toString() || '0');
    return list.page(from, Number(pagination?.limit ?? 100n), height);
  });
}
// Responses that the daemon requires to determine the chain's position.
const params = Buffer.from(
  encodeBinary(queryParams.response, decodeBinary(queryParams.response, Uint8Array.of(10, 0)), publicNaming),
);
serve(queryParams, () => params);
const emptyBlock = decodeBinary(getLatestBlock.response, Uint8Array.of(0x12, 2, 0x0a, 0));
/** A block that consists of a header with every member. */
const blockAt = (height: number) => {
  const block = emptyBlock.block as NonNullable<typeof emptyBlock.block>;
  const time = { seconds: BigInt(Math.floor(began / 1_000) + height - firstHeight), nanos: 0 };
  return { ...emptyBlock, block: { ...block, header: { ...block.header, chainId, height: BigInt(height), time } } };
};
serve(getLatestBlock, () => Buffer.from(encodeBinary(getLatestBlock.response, blockAt(head()), publicNaming)));
serve(getBlockByHeight, (request) => {
  const { height } = decodeBinary(getBlockByHeight.request, request);
  return Buffer.from(encodeBinary(getBlockByHeight.response, blockAt(Number(height)), publicNaming));
});

server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();

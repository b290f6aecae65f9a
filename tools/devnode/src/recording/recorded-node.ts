import { allMethods } from '@hubwatch/types/gen/methods/all';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { BlockStream } from '../chain/block-stream.js';
import { BlockView } from '../chain/block-view.js';
import { readGenesis } from '../chain/genesis.js';
import { Playback } from '../chain/playback.js';
import { StateHistory } from '../chain/state-history.js';
import { Validator } from '../chain/validator.js';
import type { PlayedNode } from '../moving-node.js';
import { chainSide } from '../node-parts.js';
import type { RecordedOptions } from '../options.js';
import { chainFolder, recordingsFolder } from '../recordings-folder.js';
import type { GrpcAnswer, GrpcCall, GrpcStream } from '../servers/grpc/message.js';
import type { HttpHandler } from '../servers/http/message.js';
import { gatewayHandler } from '../servers/rest/gateway.js';
import { rpcHttpHandler } from '../servers/rpc/rpc-http.js';
import { EventBus } from '../servers/websocket/event-bus.js';
import { CallBook } from './call-book.js';
import { GrpcBook } from './grpc-book.js';
import { HttpBook } from './http-book.js';
import { nodeFacts } from './node-facts.js';
import { nodeNames, rowsOf } from './rows.js';

function before(book: HttpBook, handler: HttpHandler): HttpHandler {
  return (request) => book.take(request) ?? handler(request);
}

/**
 * Creates a node that answers every recorded request with the recorded answer. Other requests are answered from the
 * recorded chain as far as possible: from the hub state up to 904600, and from the last state for heights above it.
 */
export function createRecordedNode(options: RecordedOptions, naming: Naming): PlayedNode {
  const name = options.node ?? 'archive';
  if (!nodeNames.includes(name)) throw new Error(`node: ${name}; allowed are ${nodeNames.join(', ')}`);
  const folder = options.rows ?? recordingsFolder;
  const repeats = options.repeats ?? 'in-order';
  const { bounds, settings = {}, cors = {} } = nodeFacts[name];
  const chain = chainFolder('chain');
  const blocks = new BlockStream(chain);
  const from = Math.min(bounds.lastState, blocks.last);
  const playback = new Playback({ blocks, states: new StateHistory(chain), from, speed: 'manual', shiftMs: 0 });
  const genesis = readGenesis(chain);
  const view = new BlockView({ playback, bounds, genesis, validator: new Validator(genesis, blocks), naming });
  const side = chainSide(view, naming, settings);

  const queries = [...rowsOf(folder, 'reads', name), ...rowsOf(folder, 'errors', name)];
  const calls = [...rowsOf(folder, 'rpc', name), ...rowsOf(folder, 'halted', name)];
  const grpc = new GrpcBook(queries, repeats);
  const rest = new HttpBook(repeats);
  const rpc = new HttpBook(repeats);
  const web = new HttpBook(repeats);
  for (const row of queries) {
    if (row.transport === 'rest') rest.addQuery(row);
    if (row.transport === 'abci') rpc.addQuery(row);
    if (row.transport === 'grpc-web') web.addQuery(row);
  }
  const callBook = new CallBook(calls, side.methods);
  for (const row of calls) {
    if (row.transport === 'rest') rest.addRpc(row);
    // With `last`, the newest result of a call applies to all transports, not the newest of each transport.
    else if (repeats === 'in-order' || !callBook.holds(row)) rpc.addRpc(row);
  }
  const methods = callBook.over(side.methods);
  const unary = (call: GrpcCall): GrpcAnswer => grpc.unary(call) ?? side.unary(call);
  const stream = (path: string): GrpcStream | undefined => {
    const own = side.stream(path);
    return own === undefined ? undefined : grpc.stream(path, own);
  };
  const { nowMs = Date.now } = options;
  return {
    playback,
    view,
    nowMs,
    grpc: { unary, stream },
    rest: before(rest, gatewayHandler({ methods: allMethods, naming, call: unary, nowMs })),
    rpc: before(rpc, rpcHttpHandler({ methods, nowMs })),
    cors: options.cors ?? cors,
    grpcWeb: before(web, () => ({ status: 404, reason: 'Not Found', headers: [], body: '' })),
    methods,
    bus: new EventBus(view),
    listening: side.listening,
  };
}

import { allMethods } from '@hubwatch/types/gen/methods/all';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { BlockStream } from './chain/block-stream.js';
import { BlockView } from './chain/block-view.js';
import { readGenesis } from './chain/genesis.js';
import { instantMs } from './chain/instant.js';
import { Mempool } from './chain/mempool.js';
import { Playback } from './chain/playback.js';
import { type Held, Retention } from './chain/retention.js';
import { StateHistory } from './chain/state-history.js';
import { Validator } from './chain/validator.js';
import { chainSide } from './node-parts.js';
import type { MovingOptions } from './options.js';
import { chainFolder } from './recordings-folder.js';
import { gatewayHandler } from './servers/rest/gateway.js';
import { rpcHttpHandler } from './servers/rpc/rpc-http.js';
import type { NodeParts } from './servers/start-servers.js';
import { EventBus } from './servers/websocket/event-bus.js';

export interface PlayedNode extends NodeParts {
  /** Reduces the data that the node retains; undefined for a recorded node, whose data is fixed. */
  readonly hold?: (held: Held) => void;
  readonly playback: Playback;
  readonly view: BlockView;
}

/** Creates a node whose chain is a recording in playback. @throws Error that names the option and its allowed values. */
export function createMovingNode(options: MovingOptions, naming: Naming): PlayedNode {
  const folder = chainFolder(options.chain ?? 'day');
  const blocks = new BlockStream(folder);
  const from = options.from ?? blocks.first;
  if (!blocks.has(from)) {
    throw new Error(`from: ${from}; the recording in ${folder} has heights ${blocks.first} to ${blocks.last}`);
  }
  const speed = options.speed ?? 1;
  if (speed !== 'manual' && !(speed > 0)) throw new Error(`speed: ${speed}; allowed are numbers above 0, and manual`);
  const present = options.shiftTo === 'end' ? blocks.last : from;
  const shiftMs = options.shiftTo === 'none' ? 0 : Date.now() - instantMs(blocks.time(present));
  const playback = new Playback({ blocks, states: new StateHistory(folder), from, speed, shiftMs });
  const genesis = readGenesis(folder);
  const validator = new Validator(genesis, blocks);
  const retention = new Retention(playback.bounds);
  const mempool = new Mempool(playback, naming, options.script);
  const view = new BlockView({ playback, bounds: retention, genesis, validator, naming, mempool });
  const { unary, stream, methods, listening } = chainSide(view, naming, {
    ...options.settings,
    answers: options.answers,
  });
  const nowMs = (): number => playback.nowMs();
  return {
    playback,
    view,
    hold: (held) => retention.hold(held),
    nowMs,
    grpc: { unary, stream },
    rest: gatewayHandler({ methods: allMethods, naming, call: unary, nowMs }),
    rpc: rpcHttpHandler({ methods, nowMs }),
    cors: options.cors ?? {},
    methods,
    bus: new EventBus(view),
    listening,
  };
}

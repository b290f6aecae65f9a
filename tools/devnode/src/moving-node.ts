import { join } from 'node:path';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { AppQuery } from './chain/app-query.js';
import { BlockStream } from './chain/block-stream.js';
import { BlockView } from './chain/block-view.js';
import { readGenesis } from './chain/genesis.js';
import { genesisText } from './chain/genesis-text.js';
import { instantMs } from './chain/instant.js';
import { queryHandlers } from './chain/modules/index.js';
import { readIdentity } from './chain/node-identity.js';
import { Playback } from './chain/playback.js';
import { RecordForms } from './chain/record-forms.js';
import { StateHistory } from './chain/state-history.js';
import { Validator } from './chain/validator.js';
import { appHandler } from './servers/grpc/app-handler.js';
import type { NodeParts } from './servers/start-servers.js';
import { reflection } from './servers/reflection/reflection.js';
import { gatewayHandler } from './servers/rest/gateway.js';
import { blockMethods } from './servers/rpc/block-methods.js';
import { methodTable } from './servers/rpc/method.js';
import { nodeMethods } from './servers/rpc/node-methods.js';
import { rpcHttpHandler } from './servers/rpc/rpc-http.js';
import { searchMethods } from './servers/rpc/search-methods.js';
import { EventBus } from './servers/websocket/event-bus.js';
import { subscriptionMethods } from './servers/websocket/subscription-methods.js';
import { type MovingOptions, recordingsFolder } from './start.js';

/** A node whose chain is a recording that is being played. */
export function createMovingNode(
  options: MovingOptions,
  folder: string,
  naming: Naming,
): NodeParts & {
  readonly playback: Playback;
  readonly view: BlockView;
} {
  const blocks = new BlockStream(folder);
  const from = options.from ?? blocks.first;
  if (!blocks.has(from)) {
    throw new Error(`from: ${from}; the recording in ${folder} has heights ${blocks.first} to ${blocks.last}`);
  }
  const speed = options.speed ?? 1;
  if (speed !== 'manual' && !(speed > 0)) throw new Error(`speed: ${speed}; allowed are numbers above 0, and manual`);
  const shiftMs = options.shiftTo === 'none' ? 0 : Date.now() - instantMs(blocks.time(from));
  const playback = new Playback({ blocks, states: new StateHistory(folder), from, speed, shiftMs });
  const genesis = readGenesis(folder);
  const view = new BlockView(playback, genesis, new Validator(genesis, blocks), naming);
  const identity = readIdentity(recordingsFolder, genesis);
  const forms = new RecordForms(shiftMs);
  const query = new AppQuery({ view, forms, identity, naming, methods: allMethods, handlers: queryHandlers });
  const unary = appHandler(query, naming.headerToWire('x-stack-block-height').toLowerCase());
  const nowMs = (): number => playback.nowMs();
  let rpcAddress = '127.0.0.1:0';
  const methods = methodTable([
    ...nodeMethods({
      view,
      identity,
      query,
      genesisText: () => genesisText(genesis, naming),
      rpcAddress: () => rpcAddress,
    }),
    ...blockMethods(view),
    ...searchMethods(view),
    ...subscriptionMethods,
  ]);
  return {
    playback,
    view,
    nowMs,
    grpc: {
      unary,
      stream: reflection({
        methods: allMethods,
        naming,
        fileSegments: publicProfile.segments.file,
        descriptors: join(recordingsFolder, 'descriptors.binpb.gz'),
      }),
    },
    rest: gatewayHandler({ methods: allMethods, naming, call: unary, nowMs }),
    rpc: rpcHttpHandler({ methods, nowMs }),
    methods,
    bus: new EventBus(view),
    listening: (address) => {
      rpcAddress = address;
    },
  };
}

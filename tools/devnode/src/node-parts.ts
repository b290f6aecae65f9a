// Connects the chain to its servers. Both modes use this file; the recorded mode consults its books first.
import { join } from 'node:path';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { publicProfile } from '@hubwatch/types/gen/naming/public';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { AppQuery } from './chain/app-query.js';
import type { BlockView } from './chain/block-view.js';
import { genesisText } from './chain/genesis-text.js';
import { queryHandlers } from './chain/modules/index.js';
import { readIdentity } from './chain/node-identity.js';
import type { QueryHandler } from './chain/query-handler.js';
import { RecordForms } from './chain/record-forms.js';
import type { NodeSettings } from './options.js';
import { recordingsFolder } from './recordings-folder.js';
import { appHandler } from './servers/grpc/app-handler.js';
import type { GrpcAnswer, GrpcCall, GrpcStream } from './servers/grpc/message.js';
import { reflection as reflect } from './servers/reflection/reflection.js';
import { blockMethods } from './servers/rpc/block-methods.js';
import { methodTable, type RpcMethods } from './servers/rpc/method.js';
import { nodeMethods } from './servers/rpc/node-methods.js';
import { searchMethods } from './servers/rpc/search-methods.js';
import { unsafeMethods } from './servers/rpc/unsafe-methods.js';
import { subscriptionMethods } from './servers/websocket/subscription-methods.js';

export interface ChainSide {
  readonly unary: (call: GrpcCall) => GrpcAnswer;
  readonly stream: (path: string) => GrpcStream | undefined;
  readonly methods: RpcMethods;
  /** Called with the address of the consensus RPC once it listens. */
  readonly listening: (rpcAddress: string) => void;
}

export interface SideOptions extends NodeSettings {
  /** Query handlers that take precedence over those of the recording. */
  readonly answers?: readonly QueryHandler[] | undefined;
}

/** All query and RPC methods of a chain, independent of any server. */
export function chainSide(
  view: BlockView,
  naming: Naming,
  { unsafe = false, index = true, results = true, reflection = true, answers = [] }: SideOptions = {},
): ChainSide {
  const { genesis, playback } = view;
  const identity = readIdentity(recordingsFolder, genesis);
  const forms = new RecordForms(playback.clock.shiftMs);
  const query = new AppQuery({
    view,
    forms,
    identity,
    naming,
    // If a proxy drops the reflection service, clients see it as unknown.
    methods: reflection ? allMethods : allMethods.filter(({ service }) => !service.startsWith('grpc.reflection.')),
    handlers: [...queryHandlers(naming), ...answers],
  });
  let address = '127.0.0.1:0';
  const context = {
    view,
    identity,
    query,
    genesisText: () => genesisText(genesis, naming),
    index,
    rpcAddress: () => address,
  };
  return {
    unary: appHandler(query, naming.headerToWire('x-stack-block-height').toLowerCase()),
    stream: reflection
      ? reflect({
          methods: allMethods,
          naming,
          fileSegments: publicProfile.segments.file,
          descriptors: join(recordingsFolder, 'descriptors.binpb.gz'),
        })
      : () => undefined,
    methods: methodTable([
      ...nodeMethods(context),
      ...blockMethods(view, results),
      ...searchMethods(view, index),
      ...subscriptionMethods,
      ...(unsafe ? unsafeMethods : []),
    ]),
    listening: (rpcAddress) => {
      address = rpcAddress;
    },
  };
}

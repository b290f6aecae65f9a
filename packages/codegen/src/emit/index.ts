import { any } from './any.js';
import type { Emitter } from './emitter.js';
import { entries } from './entries.js';
import { errorCodes } from './error-codes.js';
import { eventNamesEmitter } from './event-names.js';
import { events } from './events.js';
import { field } from './field.js';
import { forms } from './forms.js';
import { grpc } from './grpc.js';
import { messages } from './messages.js';
import { methods } from './methods.js';
import { msgs } from './msgs.js';
import { namingPublic } from './naming-public.js';
import { registry } from './registry.js';
import { restRoutes } from './rest-routes.js';
import { rpcMethods } from './rpc-methods.js';
import { services } from './services.js';

/** Every emitter. To add one, create its file and add a line here. */
export const emitters: readonly Emitter[] = [
  messages,
  field,
  forms,
  any,
  methods,
  services,
  grpc,
  msgs,
  entries,
  restRoutes,
  rpcMethods,
  events,
  eventNamesEmitter,
  namingPublic,
  errorCodes,
  registry,
];

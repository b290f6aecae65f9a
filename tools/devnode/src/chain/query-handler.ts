import type { Availability, Method } from '@hubwatch/types/runtime/method';
import type { BlockView } from './block-view.js';
import type { NodeIdentity } from './node-identity.js';
import type { RecordForms } from './record-forms.js';
import type { HubState } from './state-history.js';

/** Data available to a query handler. */
export interface QueryContext {
  readonly height: number;
  readonly state: HubState;
  readonly forms: RecordForms;
  readonly view: BlockView;
  readonly identity: NodeIdentity;
}

export interface QueryHandler {
  readonly service: string;
  readonly method: string;
  run(request: unknown, context: QueryContext): unknown;
}

/** Binds a handler to its method. @throws QueryError from the handler. */
export function on<I, O, A extends Availability>(
  method: Method<I, O, A>,
  run: (request: I, context: QueryContext) => O,
): QueryHandler {
  return { service: method.service, method: method.name, run: (request, context) => run(request as I, context) };
}

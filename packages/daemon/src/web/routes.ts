import { jsonText } from '../json-text.js';
import type { StoreHealth } from '../store/kept-store.js';
import { utc } from '../words.js';
import { overallOf } from './overall.js';
import { type Reply, type Routes, textResponse } from './server.js';
import { sharedReply } from './shared-reply.js';
import { statusPage } from './status-page.js';
import { type StatusParts, statusView } from './status-view.js';

export interface RouteParts {
  readonly metrics: () => Promise<string>;
  /** Describes the endpoint facts that are still missing; empty when ready. */
  readonly missing: () => string;
  readonly store: StoreHealth;
  readonly status: StatusParts;
}

/** Routes of the daemon's web server. */
export const webRoutes = ({ metrics, missing, store, status }: RouteParts): Routes => ({
  '/': {
    name: 'page',
    answer: sharedReply(() => ({ type: 'text/html; charset=utf-8', body: statusPage(statusView(status)) })),
  },
  '/metrics': {
    name: 'metrics',
    answer: sharedReply(async () => ({
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: await metrics(),
    })),
  },
  '/api/v1/status': {
    name: 'api',
    answer: sharedReply(() => {
      const view = statusView(status);
      const body = `${jsonText({ ...view, overall: overallOf(view) }, 2)}\n`;
      return { type: 'application/json; charset=utf-8', body };
    }),
  },
  '/-/healthy': {
    name: 'healthy',
    isCheap: true,
    answer: () => storeFailure(store, 'unhealthy') ?? textResponse(200, 'healthy\n'),
  },
  '/-/ready': {
    name: 'ready',
    isCheap: true,
    answer: () =>
      storeFailure(store, 'not ready') ??
      (missing() === '' ? textResponse(200, 'ready\n') : textResponse(503, `not ready: ${missing()}\n`)),
  },
});

/**
 * Failure reply if the store is broken. Without a store the daemon still sends notices, but forgets them on restart.
 */
const storeFailure = (store: StoreHealth, state: string): Reply | undefined => {
  const fault = store.fault();
  return fault && textResponse(503, `${state}: ${fault.text}, since ${utc(fault.sinceMs)}. ${fault.todo}\n`);
};

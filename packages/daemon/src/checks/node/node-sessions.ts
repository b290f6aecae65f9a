import type { AnySessionI } from '@hubwatch/types/gen/any/hub/session/v3/session-i';
import { queryParams, querySessionsForNode } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { readPages } from '../../endpoints/pages.js';
import type { SessionNews } from '../../store/session-history.js';
import { turn } from '../../turn.js';
import { cachedRead } from '../cached-read.js';
import type { Check } from '../check.js';
import { msOf } from '../times.js';
import { sessionFamilies, sessionSamples } from './session-families.js';
import { createSessionFold, type SessionFacts } from './session-fold.js';
import { type NodeTarget, nodeTargets } from './watched-nodes.js';

export interface SessionsReading {
  readonly facts: SessionFacts;
  readonly news: SessionNews;
  /** Average number of active sessions over the last week; `undefined` until one day is known. */
  readonly usual: number | undefined;
  /** Time without an update after which the chain ends a session. */
  readonly timeoutMs: number;
  readonly height: bigint | undefined;
}

/** Page size for the sessions of one node: a node with a hundred thousand sessions takes two hundred requests. */
const pageSize = 500;
/** Number of sessions processed before the event loop can run other tasks. */
const sliceSize = 250;
/** How often the module parameters are read, for all nodes together. */
const paramsEveryMs = 600_000;

/** Sessions on every watched node, aggregated page by page: number, age of the last update, used share of the limits, value. */
export const nodeSessions: Check<NodeTarget, SessionsReading> = {
  name: 'sessions',
  families: sessionFamilies,
  everyMs: (config) => config.poll.sessions,
  targets: nodeTargets,
  async collect(target, context) {
    const { pool, config, moment, signal, sessions } = context;
    const { fold, timeoutMs, height } = await pool.read(`sessions of ${target.key}`, signal, async (source) => {
      const params = await cachedRead(
        context,
        'session parameters',
        paramsEveryMs,
        async () => (await source.call(queryParams, {})).message.params,
      );
      const measures = {
        timeoutMs: msOf(params.statusTimeout),
        stakingShare: params.stakingShare,
        staleShare: config.watch.session_stale_share,
        nowMs: moment.head?.timeMs,
      };
      const fold = createSessionFold(measures);
      const walk = {
        method: querySessionsForNode,
        request: { address: target.key },
        items: (page: { readonly sessions: readonly AnySessionI[] }) => page.sessions,
        limit: pageSize,
      };
      const at = await readPages(source, walk, async (page) => {
        for (let from = 0; from < page.length; from += sliceSize) {
          await turn();
          fold.take(page.slice(from, from + sliceSize));
        }
      });
      return { fold, timeoutMs: measures.timeoutMs, height: at.height };
    });
    const facts = fold.facts();
    const news = await sessions.history.take(target.key, fold.columns());
    sessions.counts.note(target.key, facts.active, moment.head?.timeMs ?? moment.clockMs);
    return { facts, news, usual: sessions.counts.usual(target.key), timeoutMs, height };
  },
  metrics: ({ key }, { facts, news }) => sessionSamples(key, facts, news.lapsed),
};

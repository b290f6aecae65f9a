import { isExact } from '../../endpoints/state-search.js';
import { jsonText } from '../../json-text.js';
import { iso } from '../../words.js';
import { maxRequests } from '../budget.js';
import { type Diagnosis, newestOf } from '../diagnosis.js';
import { causeOf, failedWays } from '../findings/cause.js';
import type { Finding } from '../findings/finding.js';
import { serviceDifference } from '../findings/interface.js';

/** JSON form of the report, for programs: heights as strings, times as ISO 8601, `null` for unknown values. */
export const doctorJson = (diagnosis: Diagnosis, findings: readonly Finding[]): string => {
  const { subject, engine, application, ways, states } = diagnosis;
  const causes = new Map(failedWays(diagnosis).map((failed) => [failed.name, causeOf(failed)]));
  const newest = newestOf(diagnosis);
  const difference = serviceDifference(diagnosis);
  const report = {
    endpoint: subject.name,
    time: iso(diagnosis.atMs),
    requests: diagnosis.requests,
    max_requests: maxRequests,
    ways: Object.fromEntries(
      [...ways].map(([name, { address, stateHeight, failure, ms, tls }]) => [
        name,
        {
          address,
          answers: failure === undefined,
          cause: causes.get(name) ?? null,
          error: failure?.code ?? null,
          text: failure?.text ?? null,
          state_height: stateHeight ?? null,
          ms: Math.round(ms),
          certificate: tls === undefined ? null : { until: iso(tls.endMs), trusted: tls.distrust === undefined },
        },
      ]),
    ),
    naming: diagnosis.naming ?? null,
    chain_id: engine?.chainId ?? application.chainId ?? newest?.chainId ?? null,
    release: application.version ?? null,
    framework: application.stackVersion ?? null,
    engine: engine?.version ?? null,
    moniker: engine?.moniker ?? null,
    block: newest === undefined ? null : { height: newest.height, time: newest.timeMs && iso(newest.timeMs) },
    catching_up: engine?.catchingUp ?? null,
    state_height: engine?.stateHeight ?? null,
    peers: engine?.peers ?? null,
    upgrade: typeof application.plan === 'object' ? application.plan : null,
    clock_skew_seconds: engine?.skewSeconds ?? null,
    unsafe_exposed: engine?.exposesUnsafe ?? null,
    websocket: engine?.websocket ?? null,
    index:
      engine === undefined
        ? null
        : { ...engine.index, reachesFirst: undefined, reaches_first: engine.index.reachesFirst },
    results_kept: engine?.keepsResults ?? null,
    services: difference === undefined ? null : difference,
    refused_methods: application.refused,
    first_block: engine?.firstBlock ?? null,
    states: states.map(({ way, newest: to, bracket, stopped, depths }) => ({
      way,
      lowest: bracket.held,
      newest: to,
      exact: isExact(bracket) && stopped === undefined,
      depths: Object.fromEntries([...depths].map(([depth, state]) => [String(depth), state])),
    })),
    advice: findings,
  };
  return `${jsonText(report, 2)}\n`;
};

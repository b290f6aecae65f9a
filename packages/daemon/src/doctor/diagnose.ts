import { setMaxListeners } from 'node:events';
import { type Clock, publicNaming, type RpcResult } from '@hubwatch/client';
import { queryParams } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { connectLimited } from '../endpoints/connection.js';
import type { Reach } from '../endpoints/surface.js';
import { createBudget, maxRequests } from './budget.js';
import { lookAtApplication } from './collect/application.js';
import { countedEndpoint } from './collect/counted-endpoint.js';
import { lookAtEngine } from './collect/engine.js';
import { lookAtHistory } from './collect/history.js';
import { namingOf } from './collect/naming.js';
import { lookAtWay, speaks } from './collect/way.js';
import { type Lookup, systemLookup } from './collect/wire.js';
import type { Diagnosis, Way } from './diagnosis.js';
import { type Subject, type WayName, wayNames } from './subject.js';

export interface DoctorParts {
  readonly clock: Clock;
  /** Timeout of one request. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly lookup?: Lookup;
  /** Random number from 0 up to but excluding 1, for the search for the lowest state. */
  readonly random?: () => number;
}

/**
 * Collects all input of the doctor from an endpoint: its transports, its version, its services and its history.
 * Findings are derived later. Sends only read requests, at most `maxRequests` of them.
 */
export const diagnose = async (subject: Subject, parts: DoctorParts): Promise<Diagnosis> => {
  const { clock, timeoutMs, signal, lookup = systemLookup, random = Math.random } = parts;
  // Every call in progress listens for the abort of the diagnosis.
  setMaxListeners(maxRequests, signal);
  const { addresses, headers } = subject;
  const reach: Reach = { clock, timeoutMs, signal, headers };
  const budget = createBudget();
  const atMs = clock.nowMs();
  const started = clock.monotonicMs();

  const found = await namingOf(subject, reach, budget);
  const naming = found ?? publicNaming;
  const connection = connectLimited({ ...addresses, headers, naming, timeoutMs });
  const endpoint = countedEndpoint(subject.name, connection, timeoutMs, budget);
  try {
    let status: RpcResult<'status'> | undefined;
    const questions: Readonly<Record<WayName, () => Promise<bigint | undefined>>> = {
      grpc: async () => (await endpoint.query('grpc', queryParams, {}, { signal })).height,
      rest: async () => (await endpoint.query('rest', queryParams, {}, { signal })).height,
      rpc: async () => {
        status = await endpoint.rpc('status', {}, { signal });
        return undefined;
      },
    };
    const looks = wayNames.flatMap((name) => {
      const address = addresses[name];
      if (address === undefined) return [];
      const look = lookAtWay({ address, reach, budget, lookup, ask: questions[name] });
      return [look.then((way): [WayName, Way] => [name, way])];
    });
    const ways = new Map(await Promise.all(looks));
    const open = new Set([...ways].flatMap(([name, way]) => (speaks(way) ? [name] : [])));

    const [engine, application] = await Promise.all([
      status === undefined ? undefined : lookAtEngine(endpoint, addresses.rpc ?? '', status, reach, budget),
      lookAtApplication({ endpoint, grpc: addresses.grpc, headers, open, naming, timeoutMs, signal, budget }),
    ]);
    const newest = new Map(
      [...ways].flatMap(([name, way]) => {
        const height = name === 'rpc' ? engine?.stateHeight : way.stateHeight;
        return height === undefined ? [] : [[name, height] as const];
      }),
    );
    const states = await lookAtHistory({ endpoint, newest, depths: subject.depths, signal, random });
    return {
      subject,
      atMs,
      tookMs: clock.monotonicMs() - started,
      requests: budget.spent(),
      timeoutMs,
      naming: found?.profile,
      ways,
      engine,
      application,
      states,
    };
  } finally {
    await endpoint.close();
  }
};

import { HubError } from '@hubwatch/client';
import { listServices } from '@hubwatch/client/grpc';
import { getLatestBlock, getNodeInfo } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { type Datum, datumOf } from '../../checks/datum.js';
import { msOf } from '../../checks/times.js';
import { type Endpoint, queryTransports } from '../../endpoints/endpoint.js';
import { planOf } from '../../endpoints/upgrade-plan.js';
import type { Budget } from '../budget.js';
import type { ApplicationFacts } from '../diagnosis.js';
import type { WayName } from '../subject.js';
import { maybe } from './engine.js';
import { smallQuestions } from './small-questions.js';

export interface ApplicationParts {
  readonly endpoint: Endpoint;
  /** Address of gRPC, if it responds. */
  readonly grpc: string | undefined;
  /** Headers for requests over the transports that respond. */
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly open: ReadonlySet<WayName>;
  readonly naming: Naming;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly budget: Budget;
}

/** Reads the application's version, the upgrade that it waits for, and the parts of the interface that it serves. */
export const lookAtApplication = async (parts: ApplicationParts): Promise<ApplicationFacts> => {
  const { endpoint, open, signal } = parts;
  const ways = queryTransports.filter((one) => open.has(one === 'abci' ? 'rpc' : one));
  const [version, newest, plan, services, rest] = await Promise.all([
    versionOf(endpoint, open, signal),
    open.has('rpc') ? undefined : newestBlock(endpoint, open, signal),
    planOf(endpoint, signal, ways),
    open.has('grpc') ? servicesOf(parts) : undefined,
    open.has('rest') ? refusedOver(endpoint, 'rest', signal) : undefined,
  ]);
  // Reflection reports the same in one response.
  const grpc =
    services !== undefined && services.state !== 'known' ? await refusedOver(endpoint, 'grpc', signal) : undefined;
  const found = [grpc, rest].flatMap((one) => one ?? []);
  return {
    ...version,
    newest,
    plan,
    services,
    refused: found.flatMap((one) => one.refused),
    asked: new Map(found.map((one) => [one.way, one.asked])),
  };
};

const nothing = { name: undefined, version: undefined, stackVersion: undefined, chainId: undefined };

const versionOf = async (
  endpoint: Endpoint,
  open: ReadonlySet<WayName>,
  signal: AbortSignal,
): Promise<Pick<ApplicationFacts, keyof typeof nothing>> => {
  for (const way of (['grpc', 'rest'] as const).filter((one) => open.has(one))) {
    const answer = await maybe(endpoint.query(way, getNodeInfo, {}, { signal }), signal);
    const told = answer?.message.applicationVersion;
    if (answer === undefined || told === undefined) continue;
    const { name, version, stackSdkVersion: stackVersion } = told;
    return { name, version, stackVersion, chainId: answer.message.defaultNodeInfo?.network };
  }
  if (!open.has('rpc')) return nothing;
  const info = await maybe(endpoint.rpc('abci_info', {}, { signal }), signal);
  return info === undefined ? nothing : { ...nothing, name: info.data, version: info.version };
};

const newestBlock = async (
  endpoint: Endpoint,
  open: ReadonlySet<WayName>,
  signal: AbortSignal,
): Promise<ApplicationFacts['newest']> => {
  const way = (['grpc', 'rest'] as const).find((one) => open.has(one));
  if (way === undefined) return undefined;
  const answer = await maybe(endpoint.query(way, getLatestBlock, {}, { signal }), signal);
  const header = answer?.message.sdkBlock?.header ?? answer?.message.block?.header;
  return header?.time && { height: header.height, timeMs: msOf(header.time), chainId: header.chainId };
};

const servicesOf = ({
  grpc,
  headers,
  naming,
  timeoutMs,
  signal,
  budget,
}: ApplicationParts): Promise<Datum<string[]>> => {
  budget.spend();
  const list = async (): Promise<string[]> => {
    const names = await listServices({ address: grpc ?? '', headers, timeoutMs, signal });
    return names.map((name) => naming.typeFromWire(name));
  };
  return datumOf(list());
};

/** Small queries that the interface serves over a transport and the endpoint does not. */
const refusedOver = async (
  endpoint: Endpoint,
  way: 'grpc' | 'rest',
  signal: AbortSignal,
): Promise<{ readonly way: WayName; readonly asked: number; readonly refused: ApplicationFacts['refused'] }> => {
  const served = smallQuestions.filter(({ method }) => method.availability[way].served);
  const refused = await Promise.all(
    served.map(async ({ method, request }) => {
      try {
        await endpoint.query(way, method, request, { signal });
        return [];
      } catch (error) {
        if (signal.aborted) throw error;
        const isRefused = error instanceof HubError && error.code === 'unimplemented';
        return isRefused ? [{ way, method: `${method.service}/${method.name}` }] : [];
      }
    }),
  );
  return { way, asked: served.length, refused: refused.flat() };
};

import type { Datum } from '../../checks/datum.js';
import { endpointStatus } from '../../checks/endpoint/endpoint-status.js';
import type { EndpointConfig } from '../../config/schema.js';
import type { FailureReason } from '../../endpoints/failure.js';
import type { RuleView } from '../rule.js';

/** State of one transport of an endpoint after its last probe; `undefined` if it was not probed yet. */
export interface TransportState {
  readonly transport: 'grpc' | 'rest' | 'rpc' | 'websocket';
  readonly datum: Datum<unknown> | undefined;
}

/** Every configured transport of an endpoint. */
export const transportsOf = ({ observations }: RuleView, endpoint: EndpointConfig): readonly TransportState[] => {
  const outcome = observations.outcome(endpointStatus, endpoint.name);
  const reading = outcome?.state === 'known' ? outcome.reading : undefined;
  return (['grpc', 'rest', 'rpc'] as const)
    .filter((transport) => endpoint[transport] !== undefined)
    .map((transport) => ({ transport, datum: reading?.[transport] }));
};

/** Number of failed connection attempts, while the endpoint responded, after which its websocket is down. */
const failedAttempts = 2;

/**
 * The websocket, if it is used. It cannot be used for queries and does not show whether the endpoint responds. A websocket that
 * reconnects after an interruption, or was not tried yet, is not down: its state is unknown.
 */
export const websocketOf = (view: RuleView, endpoint: EndpointConfig): readonly TransportState[] => {
  if (endpoint.rpc === undefined || !endpoint.websocket || view.isOneRound === true) return [];
  const outcome = view.observations.outcome(endpointStatus, endpoint.name);
  const reading = outcome?.state === 'known' ? outcome.reading : undefined;
  const { rpc, websocket, websocketFailures = 0 } = reading ?? {};
  const isDecided = websocket?.state === 'known' || (rpc?.state === 'known' && websocketFailures >= failedAttempts);
  return [{ transport: 'websocket', datum: isDecided ? websocket : undefined }];
};

export const isDown = ({ datum }: TransportState): boolean => datum !== undefined && datum.state !== 'known';

/** Display names of transports. */
const transportNames = { grpc: 'gRPC', rest: 'REST', rpc: 'RPC', websocket: 'websocket' } as const;

export const namesOf = (transports: readonly TransportState[]): string =>
  transports.map(({ transport }) => transportNames[transport]).join(', ');

/** Describes the state of each transport, working ones first: `RPC answers; no answer over gRPC, REST`. */
export const answersText = (transports: readonly TransportState[]): string => {
  const up = transports.filter(({ datum }) => datum?.state === 'known');
  const down = transports.filter(isDown);
  return [
    ...(up.length === 0 ? [] : [`answers over ${namesOf(up)}`]),
    ...(down.length === 0 ? [] : [`${up.length === 0 ? '' : 'still '}no answer over ${namesOf(down)}`]),
  ].join('; ');
};

/** One line for each transport that does not respond, with the reason. */
export const reasonsOf = (transports: readonly TransportState[]): string =>
  transports.map(({ transport, datum }) => `- ${transportNames[transport]}: ${reasonOf(datum)}`).join('\n');

const reasonOf = (datum: Datum<unknown> | undefined): string => {
  if (datum === undefined) return 'not known yet';
  if (datum.state === 'known') return 'answers';
  if (datum.state === 'not_served') return `does not serve what was asked (${datum.text})`;
  if (datum.state === 'not_retained') return `does not keep what was asked (${datum.text})`;
  return plainReasons[datum.reason] ?? datum.text;
};

/** Texts for common reasons; every other reason is shown with the endpoint's own text. */
const plainReasons: Partial<Record<FailureReason, string>> = {
  refused: 'the connection is refused or fails',
  timeout: 'no answer in time',
  tls: 'no TLS connection comes about',
  limit: 'it refuses so many requests, or its answer is too large',
};

import type { Datum } from '../../checks/datum.js';
import { endpointStatus } from '../../checks/endpoint/endpoint-status.js';
import type { EndpointConfig } from '../../config/schema.js';
import type { RuleView } from '../rule.js';

/** One transport of an endpoint as its last probe left it; `undefined` when it was not asked yet. */
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

/** The websocket, where one is listened to; it is no way to ask, and says nothing of whether the endpoint answers. */
export const websocketOf = ({ observations }: RuleView, endpoint: EndpointConfig): readonly TransportState[] => {
  const outcome = observations.outcome(endpointStatus, endpoint.name);
  const datum = outcome?.state === 'known' ? outcome.reading.websocket : undefined;
  return datum === undefined ? [] : [{ transport: 'websocket', datum }];
};

export const isDown = ({ datum }: TransportState): boolean => datum !== undefined && datum.state !== 'known';

/** A line for each transport with the reason why it does not answer. */
export const reasonsOf = (transports: readonly TransportState[]): string =>
  transports.map(({ transport, datum }) => `- ${transport}: ${reasonOf(datum)}`).join('\n');

const reasonOf = (datum: Datum<unknown> | undefined): string => {
  if (datum === undefined) return 'not asked yet';
  if (datum.state === 'known') return 'answers';
  return datum.state === 'no_answer' ? `${datum.reason}: ${datum.text}` : datum.text;
};

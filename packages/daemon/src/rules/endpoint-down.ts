import type { Datum } from '../checks/datum.js';
import { endpointStatus } from '../checks/endpoint-status.js';
import type { Verdict } from '../checks/verdict.js';
import type { Rule } from './rule.js';

const judge = (endpoint: string, transport: string, datum: Datum<unknown> | undefined): Verdict => {
  const subject = `${endpoint}/${transport}`;
  const base = { subject, term: '' };
  if (datum === undefined)
    return { ...base, state: 'unknown', title: `${endpoint}: ${transport} was not asked yet`, text: '' };
  if (datum.state === 'known') {
    return {
      ...base,
      state: 'ok',
      title: `${endpoint}: ${transport} answers`,
      text: `The ${transport} address answers again.`,
    };
  }
  const why = datum.state === 'no_answer' ? `${datum.reason}: ${datum.text}` : datum.text;
  return {
    ...base,
    state: 'firing',
    title: `${endpoint}: ${transport} does not answer`,
    text: `The last probe failed: ${why}\n\nWhat is read over it is missing from pages and metrics; other endpoints are used where they are configured.`,
  };
};

/** A transport of an endpoint answers no probe. */
export const endpointDown: Rule = {
  name: 'HubEndpointDown',
  severity: 'warning',
  forMs: 180_000,
  time: 'clock',
  evaluate: ({ config, observations }) =>
    config.endpoints.flatMap((endpoint) => {
      const outcome = observations.outcome(endpointStatus, endpoint.name);
      const reading = outcome?.state === 'known' ? outcome.reading : undefined;
      return (['grpc', 'rest', 'rpc'] as const)
        .filter((transport) => endpoint[transport] !== undefined)
        .map((transport) => judge(endpoint.name, transport, reading?.[transport]));
    }),
};

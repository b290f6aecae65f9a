import { systemClock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { colours, diagnose, doctorJson, doctorReport, findingsOf, noColours } from '../doctor/index.js';
import { askedEndpoint, type EndpointArguments, timeoutOf } from './asked-endpoint.js';

export interface DoctorArguments extends EndpointArguments {
  readonly json?: boolean | undefined;
}

/**
 * `hubwatch doctor`: checks one endpoint. Prints its services, how far back its history reaches, differences from the
 * interface, and advice. Resolves to the exit code: 0 no advice, 1 advice, 2 no response.
 *
 * @throws UsageError
 */
export const doctorCommand = async (
  endpoint: string | undefined,
  args: DoctorArguments,
  config: Config | undefined,
  console: { out(text: string): void; readonly hasColours?: boolean },
): Promise<number> => {
  const subject = askedEndpoint('doctor', endpoint, args, config);
  const timeoutMs = timeoutOf(args.timeout);
  // There is no SIGINT handler here: the signal ends the process at once, and nothing needs cleanup.
  const { signal } = new AbortController();
  const diagnosis = await diagnose(subject, { clock: systemClock, timeoutMs, signal });
  const findings = findingsOf(diagnosis);
  const paint = console.hasColours === true ? colours : noColours;
  console.out(args.json === true ? doctorJson(diagnosis, findings) : doctorReport(diagnosis, findings, paint));
  const isUp = [...diagnosis.ways.values()].some(({ failure }) => failure === undefined);
  if (!isUp) return 2;
  return findings.length === 0 ? 0 : 1;
};

import { systemClock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { colours, diagnose, doctorJson, doctorReport, findingsOf, noColours } from '../doctor/index.js';
import { askedEndpoint, type EndpointArguments, timeoutOf } from './asked-endpoint.js';

export interface DoctorArguments extends EndpointArguments {
  readonly json?: boolean | undefined;
}

/**
 * `hubwatch doctor`: looks at one endpoint and prints what it serves, how far back it remembers, what differs from the
 * interface, and what to do. Resolves to the exit code: 0 nothing to advise, 1 advice, 2 nothing answered.
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
  // Nothing listens for SIGINT here: it ends the process at once, and nothing is left behind.
  const { signal } = new AbortController();
  const diagnosis = await diagnose(subject, { clock: systemClock, timeoutMs, signal });
  const findings = findingsOf(diagnosis);
  const paint = console.hasColours === true ? colours : noColours;
  console.out(args.json === true ? doctorJson(diagnosis, findings) : doctorReport(diagnosis, findings, paint));
  const isUp = [...diagnosis.ways.values()].some(({ failure }) => failure === undefined);
  if (!isUp) return 2;
  return findings.length === 0 ? 0 : 1;
};

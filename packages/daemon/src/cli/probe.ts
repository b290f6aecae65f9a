import { type Clock, systemClock } from '@hubwatch/client';
import type { Config } from '../config/schema.js';
import { type Probed, probeEndpoint } from '../doctor/probe.js';
import type { WayName } from '../doctor/subject.js';
import { oneLine } from '../words.js';
import { askedEndpoint, type EndpointArguments, timeoutOf } from './asked-endpoint.js';
import { UsageError } from './usage-error.js';

export interface ProbeArguments extends EndpointArguments {
  readonly transport?: WayName | undefined;
}

/**
 * `hubwatch probe`: sends one query over each transport and prints a line for each. Resolves to the exit code: 0 if all
 * responded, 1 if one did not.
 *
 * @throws UsageError
 */
export const probeCommand = async (
  endpoint: string | undefined,
  args: ProbeArguments,
  config: Config | undefined,
  print: (line: string) => void,
  clock: Clock = systemClock,
): Promise<number> => {
  const subject = askedEndpoint('probe', endpoint, args, config);
  const timeoutMs = timeoutOf(args.timeout);
  const only = args.transport;
  const addresses = Object.fromEntries(
    Object.entries(subject.addresses).filter(([way]) => only === undefined || way === only),
  );
  if (Object.keys(addresses).length === 0)
    throw new UsageError(
      `--transport: ${subject.name} has no ${only ?? ''} address; it has: ${Object.keys(subject.addresses).join(', ')}`,
    );
  const { signal } = new AbortController();
  const found = await probeEndpoint({ ...subject, addresses }, { clock, timeoutMs, signal });
  for (const one of found) print(lineOf(one, clock.nowMs()));
  return found.every(({ failure }) => failure === undefined) ? 0 : 1;
};

/** `rpc up height=… age_seconds=… catching_up=… chain=… ms=…`: words and pairs without spaces. */
const lineOf = ({ way, failure, height, block, ms }: Probed, nowMs: number): string => {
  const pairs: readonly (readonly [string, string | undefined])[] = [
    ['reason', failure],
    ['height', height?.toString()],
    ['age_seconds', block?.timeMs === undefined ? undefined : String(Math.round((nowMs - block.timeMs) / 1_000))],
    ['catching_up', block && String(block.catchingUp)],
    ['chain', block && oneLine(block.chainId, 60).replaceAll(/\s/g, '_')],
    ['ms', String(Math.round(ms))],
  ];
  const told = pairs.flatMap(([key, value]) => (value === undefined ? [] : `${key}=${value}`));
  return [way.padEnd(4), failure === undefined ? 'up  ' : 'down', ...told].join(' ');
};

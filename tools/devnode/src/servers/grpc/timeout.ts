/** Returns the node's error text for a malformed `grpc-timeout` value; undefined if it is absent or well-formed. */
export function timeoutError(value: string): string | undefined {
  if (value === '') return undefined;
  const quoted = JSON.stringify(value);
  const malformed = (why: string): string => `malformed grpc-timeout: transport: ${why}: ${quoted}`;
  if (value.length < 2) return malformed('timeout string is too short');
  if (value.length > 9) return malformed('timeout string is too long');
  if (!/[HMSmun]$/.test(value)) return malformed('timeout unit is not recognized');
  if (!/^\d+$/.test(value.slice(0, -1))) {
    const digits = JSON.stringify(value.slice(0, -1));
    return `malformed grpc-timeout: strconv.ParseInt: parsing ${digits}: invalid syntax`;
  }
  return undefined;
}

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** Converts a well-formed `grpc-timeout` to milliseconds. */
export function timeoutMs(value: string): number {
  return Number(value.slice(0, -1)) * (unitMs[value.slice(-1)] ?? 0);
}

/** Data that a node's own API reports about itself. */
export interface ReachedNodeInfo {
  /** Address of the node that responds; `undefined` if the response contains none. */
  readonly address: string | undefined;
  /**
   * Whether a reported speed is 0, which indicates a failed speed test and not a slow line; `undefined` if none is reported.
   */
  readonly isSpeedZero: boolean | undefined;
}

const addressKeys = ['addr', 'address', 'node_addr', 'node_address'];
/** Node programs use different names, and one program swapped the two directions. No key is therefore mapped to a direction. */
const speedKeys = ['downlink', 'uplink', 'download', 'upload'];

/** Parses the response of any node program: the data is at the top level or under `result`, and numbers may be strings. */
export const parseNodeInfo = (body: string): ReachedNodeInfo | undefined => {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // An error page of another service on that port gives no information about a node.
    return undefined;
  }
  const top = memberOf(json, 'result') ?? json;
  const address = addressKeys
    .map((key) => memberOf(top, key))
    .find((value): value is string => typeof value === 'string' && /^sentnode1[02-9ac-hj-np-z]{38,58}$/.test(value));
  const speeds = [top, memberOf(top, 'bandwidth')].flatMap((of) =>
    speedKeys.flatMap((key) => numberOf(memberOf(of, key))),
  );
  return { address, isSpeedZero: speeds.length === 0 ? undefined : speeds.some((speed) => speed === 0) };
};

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Readonly<Record<string, unknown>>)[key]
    : undefined;

const numberOf = (value: unknown): readonly number[] => {
  if (typeof value === 'number') return [value];
  return typeof value === 'string' && /^\d{1,20}(\.\d+)?$/.test(value) ? [Number(value)] : [];
};

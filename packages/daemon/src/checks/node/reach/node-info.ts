/** What a node's own interface says of itself, as reported. */
export interface ReachedNodeInfo {
  /** The node that answers; `undefined` when the answer names none. */
  readonly address: string | undefined;
  /** Whether a speed is 0, which tells of a test that failed and not of the line; `undefined` when it reports none. */
  readonly isSpeedZero: boolean | undefined;
}

const addressKeys = ['addr', 'address', 'node_addr', 'node_address'];
/** Programs differ in names, and one had the two exchanged: none of them is taken for a direction. */
const speedKeys = ['downlink', 'uplink', 'download', 'upload'];

/** Reads an answer whatever program gave it: the facts stand at the top or under `result`, numbers also as text. */
export const parseNodeInfo = (body: string): ReachedNodeInfo | undefined => {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    // An error page of something else that listens there: it says nothing about a node.
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

/** Messages whose JSON is a bare value; inside an `Any` it is the member `value`. */
const wellKnown: ReadonlySet<string> = new Set([
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'google.protobuf.Any',
  'google.protobuf.Empty',
]);

export function isWellKnown(name: string): boolean {
  return wellKnown.has(name);
}

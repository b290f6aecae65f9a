/** Result of a step that needs no waiting, as a promise: a failure rejects instead of being thrown. */
export function settled<T>(step: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(step());
  });
}

/** Wraps the result of a synchronous step in a promise: an error rejects instead of being thrown. */
export function settled<T>(step: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(step());
  });
}

/**
 * A proof is over when its program is: what still holds it is a fault of what it proved, or of the proof. Then it says by
 * what it is held, and ends with exit code 1.
 */
export function tellLeftOpen(afterMs: number): void {
  setTimeout(() => {
    process.stderr.write(`still open ${afterMs} ms after the result: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit(1);
  }, afterMs).unref();
}

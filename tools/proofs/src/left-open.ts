/**
 * Ends a program that does not exit on its own after a proof. Anything that keeps it alive is a defect of the tested
 * code or of the proof. Prints the open resources and exits with code 1.
 */
export function tellLeftOpen(afterMs: number): void {
  setTimeout(() => {
    process.stderr.write(`still open ${afterMs} ms after the result: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit(1);
  }, afterMs).unref();
}

import type { Difference } from './output.js';

/** Result of a run of `generate`, or of its check. */
export interface GenerateReport {
  /** Number of proto files that the output is generated from. */
  readonly protos: number;
  readonly services: number;
  readonly methods: number;
  /** Number of names for which the naming profile was proved. */
  readonly names: number;
  readonly files: number;
  /** Written differences, or those that a check found. */
  readonly differences: readonly Difference[];
}

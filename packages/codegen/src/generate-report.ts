import type { Difference } from './output.js';

/** What a run of `generate` made, or what its check found. */
export interface GenerateReport {
  /** Proto files that the output is made from. */
  readonly protos: number;
  readonly services: number;
  readonly methods: number;
  /** Names that the naming profile was proved over. */
  readonly names: number;
  readonly files: number;
  /** What was written, or what a check found. */
  readonly differences: readonly Difference[];
}

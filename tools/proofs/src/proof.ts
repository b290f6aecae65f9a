/** A correctness or fault-tolerance claim that anyone can check again, with any seed. */
export interface Proof {
  /** Name on the command line, kebab-case. */
  readonly name: string;
  /** The claim in one sentence. */
  readonly about: string;
  /** Number of runs in `npm test`; absent if the proof has a fixed number of cases. */
  readonly defaultRuns?: number;
  run(options: ProofOptions): Promise<ProofOutcome>;
}

export interface ProofOptions {
  /** A new seed gives a new world; a proof over recordings ignores it. */
  readonly seed: number;
  /** Number of random runs, if the proof has any. */
  readonly runs?: number | undefined;
  /** Folder of another recorded chain in the format of tools/devnode/recordings/day. */
  readonly chain?: string | undefined;
  /** Path of another file with recorded reads. */
  readonly reads?: string | undefined;
  readonly log: (line: string) => void;
}

export interface ProofOutcome {
  readonly passed: number;
  readonly total: number;
  /** The first case that contradicts the claim. Present if and only if `passed < total`. */
  readonly counterExample?: string | undefined;
  /** Additional figures, printed and included in `--json`. */
  readonly figures?: Readonly<Record<string, number | string>> | undefined;
}

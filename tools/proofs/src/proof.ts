/** One truth or fault claim that can be run again by anyone, with any seed. */
export interface Proof {
  /** Name on the command line, kebab-case. */
  readonly name: string;
  /** One sentence: what is claimed. */
  readonly about: string;
  /** Runs used by `npm test`; absent where the proof has a fixed number of cases. */
  readonly defaultRuns?: number;
  run(options: ProofOptions): Promise<ProofOutcome>;
}

export interface ProofOptions {
  /** A fresh seed gives a fresh world; a proof over recordings ignores it. */
  readonly seed: number;
  /** Number of random runs, where the proof has any. */
  readonly runs?: number | undefined;
  /** Folder of another recorded chain in the form of tools/devnode/recordings/day. */
  readonly chain?: string | undefined;
  /** Another file of recorded reads. */
  readonly reads?: string | undefined;
  readonly log: (line: string) => void;
}

export interface ProofOutcome {
  readonly passed: number;
  readonly total: number;
  /** The first case that contradicts the claim. Present exactly when `passed < total`. */
  readonly counterExample?: string | undefined;
  /** Further figures, printed and put into `--json`. */
  readonly figures?: Readonly<Record<string, number | string>> | undefined;
}

/** One speed or size claim: ours beside a named peer, measured in the same run. */
export interface Benchmark {
  /** Name on the command line, kebab-case. */
  readonly name: string;
  /** One sentence: what is measured, and against what. */
  readonly about: string;
  run(options: BenchmarkOptions): Promise<BenchmarkOutcome>;
}

export interface BenchmarkOptions {
  /** Rounds; the outcome is a median over them. */
  readonly runs?: number | undefined;
  readonly log: (line: string) => void;
}

export interface BenchmarkOutcome {
  /** The measured figure, in `unit`. */
  readonly figure: number;
  /** What it must not exceed. */
  readonly target: number;
  readonly unit: string;
  readonly figures?: Readonly<Record<string, number | string>> | undefined;
}

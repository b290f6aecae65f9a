/** One speed or size claim: our figure compared with a named peer, measured in the same run. */
export interface Benchmark {
  /** Name on the command line, kebab-case. */
  readonly name: string;
  /** The measured quantity and the peer, in one sentence. */
  readonly about: string;
  run(options: BenchmarkOptions): Promise<BenchmarkOutcome>;
}

export interface BenchmarkOptions {
  /** Number of rounds; the outcome is the median over them. */
  readonly runs?: number | undefined;
  readonly log: (line: string) => void;
}

export interface BenchmarkOutcome {
  /** The measured figure, in `unit`. */
  readonly figure: number;
  /** Upper limit of the figure. */
  readonly target: number;
  readonly unit: string;
  readonly figures?: Readonly<Record<string, number | string>> | undefined;
}

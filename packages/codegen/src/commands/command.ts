export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What a person typed after the command. */
export interface CommandInput extends CliStreams {
  /** Checked folder that holds `proto/`. */
  readonly root: string;
  /** Working folder, from which paths in arguments are read. */
  readonly cwd: string;
  /** Arguments without `--`, as many as `takes` says. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** One JSON object on standard output instead of text. */
  readonly json: boolean;
  /** A line on standard error that says how far the work is. */
  readonly progress: (line: string) => void;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** Names of its arguments, all required. */
  readonly takes: readonly string[];
  /** Options of its own; `true` for those with a value. */
  readonly options: Readonly<Record<string, boolean>>;
  /** Lines of the help: what is typed and what it does. */
  readonly help: readonly (readonly [usage: string, does: string])[];
  /** Whether the root must hold protos already. */
  readonly startsEmpty?: true;
  run(input: CommandInput): Promise<number>;
}

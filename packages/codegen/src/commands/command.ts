import type { Project } from '../project/project.js';

export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person sees `err`: only then it tells how far the work is. */
  readonly isTerminal?: boolean;
  /** For a command that goes on until it is stopped: from now on a stop is told by the signal. */
  readonly untilStopped?: () => AbortSignal;
}

/** What a person typed after the command. */
export interface CommandInput extends CliStreams {
  /** Folder of the project. */
  readonly root: string;
  readonly project: Project;
  /** Reads the project anew, for commands that outlive a change of its configuration. */
  readonly readProject: () => Project;
  /** Working folder, from which paths in arguments are read. */
  readonly cwd: string;
  /** Arguments without `--`, as many as `takes` says. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** One JSON document on standard output instead of text. */
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
  /** Makes a project, so that none needs to be there. */
  readonly startsEmpty?: true;
  /** What it works on where no project is found; absent where it needs one. */
  projectWithout?(flags: CommandInput['flags']): Project | undefined;
  run(input: CommandInput): Promise<number>;
}

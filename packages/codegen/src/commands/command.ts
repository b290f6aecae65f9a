import type { Command as Declaration } from 'commander';

import type { Project } from '../project/project.js';

export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person sees `err`: only then it tells how far the work is. */
  readonly isTerminal?: boolean;
  /** For a command that goes on until it is stopped: from now on a stop is told by the signal. */
  readonly untilStopped?: () => AbortSignal;
}

/** Values of the options, the common ones too. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** What a person typed after the command. */
export interface CommandInput extends CliStreams {
  /** Folder of the project. */
  readonly root: string;
  readonly project: Project;
  /** Reads the project anew, for commands that outlive a change of its configuration. */
  readonly readProject: () => Project;
  /** Working folder, from which paths in arguments are read. */
  readonly cwd: string;
  /** Arguments, as many as are declared. */
  readonly args: readonly string[];
  readonly flags: Flags;
  /** One JSON document on standard output instead of text. */
  readonly json: boolean;
  /** A line on standard error that says how far the work is. */
  readonly progress: (line: string) => void;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** What it does, in the list of all commands. */
  readonly summary: string;
  /** Adds its description, arguments and options; the help and the docs show the same. */
  declare(command: Declaration): unknown;
  /** Makes a project, so that none needs to be there. */
  readonly startsEmpty?: true;
  /** What it works on where no project is found; absent where it needs one. */
  projectWithout?(flags: Flags): Project | undefined;
  run(input: CommandInput): Promise<number>;
}

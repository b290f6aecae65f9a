import type { Command as Declaration } from 'commander';

import type { Project } from '../project/project.js';

export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether `err` is a terminal: progress is written only then. */
  readonly isTerminal?: boolean;
  /** For a command that runs until it is stopped: after this call, the signal reports a stop. */
  readonly untilStopped?: () => AbortSignal;
}

/** Values of the options, including the common ones. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

/** Input of a command from the command line. */
export interface CommandInput extends CliStreams {
  /** Folder of the project. */
  readonly root: string;
  readonly project: Project;
  /** Reads the project again, for commands that continue after a change of its configuration. */
  readonly readProject: () => Project;
  /** Working folder, to which paths in arguments are relative. */
  readonly cwd: string;
  /** Arguments, in the declared number. */
  readonly args: readonly string[];
  readonly flags: Flags;
  /** Write one JSON document to standard output instead of text. */
  readonly json: boolean;
  /** Writes a progress line to standard error. */
  readonly progress: (line: string) => void;
}

/** One command of the command line. */
export interface Command {
  readonly name: string;
  /** Description in the list of all commands. */
  readonly summary: string;
  /** Adds its description, arguments and options, which the help and the docs show. */
  declare(command: Declaration): unknown;
  /** Creates a project, so that none is required. */
  readonly startsEmpty?: true;
  /** Project to use if none is found; absent if the command requires one. */
  projectWithout?(flags: Flags): Project | undefined;
  run(input: CommandInput): Promise<number>;
}

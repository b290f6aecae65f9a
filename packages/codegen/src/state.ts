import { type Digests, digestInputs, findLockFault } from './load/lock.js';
import { readOutput } from './output.js';
import type { Project } from './project/project.js';
import { digestOutput, digestRun, type Stamp } from './stamp.js';

/** Current state: all inputs of a run, and the contents of the output folder. */
export interface State {
  readonly digests: Digests;
  /** One digest over the inputs, the choices of the project and the program. */
  readonly inputs: string;
  /** Message, if the inputs differ from the lock. */
  readonly lockFault: string | undefined;
  /** Files of the output folder, with content. */
  readonly found: ReadonlyMap<string, string>;
}

/**
 * Reads every file, regardless of its time and size: a clone or a switch of branches changes times without changing
 * content.
 */
export async function readState(project: Project, { ignoreLock = false } = {}): Promise<State> {
  const digests = await digestInputs(project);
  const [inputs, lockFault, found] = await Promise.all([
    digestRun(project, digests),
    ignoreLock ? undefined : findLockFault(project, digests),
    readOutput(project),
  ]);
  return { digests, inputs, lockFault, found };
}

/** Whether a stamp matches this state, so that a run would change nothing. */
export function fits(stamp: Stamp, { inputs, lockFault, found }: State): boolean {
  return lockFault === undefined && stamp.inputs === inputs && stamp.outputs === digestOutput(found);
}

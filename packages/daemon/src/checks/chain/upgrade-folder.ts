import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the binary of an upgrade is installed; `undefined` with the reason if the folder cannot be read. */
export interface BinaryFound {
  readonly isPresent: boolean | undefined;
  /** Path that was checked, or the reason why the check failed. */
  readonly text: string;
}

/** Possible folder names of a plan: the supervisor escapes the name, and some versions convert it to lower case. */
const namesOf = (plan: string): readonly string[] =>
  [...new Set([encodeURIComponent(plan), encodeURIComponent(plan.toLowerCase())])].filter(
    (name) => name !== '' && name !== '.' && name !== '..' && name.length <= 255,
  );

const isProgram = async (path: string): Promise<boolean> => {
  try {
    const found = await stat(path);
    return found.isFile() && found.size > 0 && (found.mode & 0o111) !== 0;
  } catch {
    return false;
  }
};

/**
 * Checks `FOLDER/NAME/bin/PROGRAM`, the path from which a supervisor starts the binary of an upgrade. Accepts any file there
 * that is executable and not empty.
 */
export const findUpgradeBinary = async (folder: string, plan: string): Promise<BinaryFound> => {
  try {
    await readdir(folder);
  } catch (error) {
    return { isPresent: undefined, text: `${folder} cannot be looked into: ${(error as Error).message}` };
  }
  for (const name of namesOf(plan)) {
    const bin = join(folder, name, 'bin');
    const files = await readdir(bin).catch(() => []);
    for (const file of files) if (await isProgram(join(bin, file))) return { isPresent: true, text: join(bin, file) };
  }
  return { isPresent: false, text: join(folder, namesOf(plan)[0] ?? '', 'bin') };
};

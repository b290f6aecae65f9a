import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the program of an upgrade lies ready; `undefined` with the reason where the folder itself cannot be looked into. */
export interface BinaryFound {
  readonly isPresent: boolean | undefined;
  /** Where it was looked for, or why it could not be. */
  readonly text: string;
}

/** Folder names that a plan may stand under: the supervisor escapes it, and some versions write it in small letters. */
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
 * Looks for `FOLDER/NAME/bin/PROGRAM`, the place from which a supervisor starts the program of an upgrade: any file there that
 * is not empty and may be run.
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

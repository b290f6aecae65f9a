import { readFileSync } from 'node:fs';

/** Where a password, token or key stands; never in the configuration file itself. */
export interface SecretSource {
  readonly file?: string | undefined;
  readonly env?: string | undefined;
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read by this user',
  EISDIR: 'is a folder',
};

/**
 * The secret, or `undefined` when none is configured. Read each time, so that a changed file is used.
 *
 * @throws Error without the name of the file or variable: somebody may have written the secret in its place
 */
export const readSecret = ({ file, env }: SecretSource, variables = process.env): string | undefined => {
  if (file !== undefined) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // The message of the cause has the name of the file.
      // eslint-disable-next-line preserve-caught-error
      throw new Error(`the file of the secret ${faults[code] ?? `cannot be read (${code})`}`);
    }
  }
  if (env === undefined) return undefined;
  const value = variables[env];
  if (value === undefined) throw new Error('the environment variable of the secret is not set');
  return value;
};

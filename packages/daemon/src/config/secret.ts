import { readFileSync } from 'node:fs';

/** Location of a password, token or key; the secret is never in the configuration file itself. */
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
 * The secret, or `undefined` if none is configured. Read on each call, so that a changed file is used.
 *
 * @throws Error without the name of the file or variable: the secret may have been entered in its place
 */
export const readSecret = ({ file, env }: SecretSource, variables = process.env): string | undefined => {
  if (file !== undefined) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // The message of the cause contains the name of the file.
      // eslint-disable-next-line preserve-caught-error
      throw new Error(`the file of the secret ${faults[code] ?? `cannot be read (${code})`}`);
    }
  }
  if (env === undefined) return undefined;
  const value = variables[env];
  if (value === undefined) throw new Error('the environment variable of the secret is not set');
  return value;
};

import { readFileSync } from 'node:fs';

/** Where a password, token or key stands; never in the configuration file itself. */
export interface SecretSource {
  readonly file?: string | undefined;
  readonly env?: string | undefined;
}

/** The secret, or `undefined` when none is configured. Read anew each time, so that a changed file is taken up. */
export const readSecret = ({ file, env }: SecretSource, variables = process.env): string | undefined => {
  if (file !== undefined) return readFileSync(file, 'utf8').trim();
  if (env === undefined) return undefined;
  const value = variables[env];
  if (value === undefined) throw new Error(`environment variable ${env} is not set`);
  return value;
};

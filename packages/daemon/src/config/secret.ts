import { readFileSync } from 'node:fs';

/** Where a password stands; never in the configuration file itself. */
export interface SecretSource {
  readonly password_file?: string | undefined;
  readonly password_env?: string | undefined;
}

/** The password, or `undefined` when none is configured. Read anew each time, so that a changed file is taken up. */
export const readSecret = (source: SecretSource, env: NodeJS.ProcessEnv = process.env): string | undefined => {
  if (source.password_file !== undefined) return readFileSync(source.password_file, 'utf8').replace(/\r?\n$/, '');
  if (source.password_env === undefined) return undefined;
  const value = env[source.password_env];
  if (value === undefined) throw new Error(`environment variable ${source.password_env} (password_env) is not set`);
  return value;
};

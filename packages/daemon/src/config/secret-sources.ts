import { parseHeaders } from './headers.js';
import type { Found } from './problem.js';
import { readSecret } from './secret.js';

/** Secrets that this user cannot read on this machine, with the key that locates them. */
export const secretProblems = (written: unknown, path: readonly PropertyKey[] = []): readonly Found[] => {
  if (typeof written !== 'object' || written === null) return [];
  return Object.entries(written).flatMap(([name, value]: [string, unknown]): readonly Found[] => {
    const at = [...path, Array.isArray(written) ? Number(name) : name];
    if (typeof value !== 'string') return secretProblems(value, at);
    if (!/_(?:file|env)$/.test(name)) return [];
    const message = faultOf(name, value);
    return message === undefined ? [] : [{ path: at, message }];
  });
};

const faultOf = (name: string, value: string): string | undefined => {
  try {
    const secret = readSecret(name.endsWith('_env') ? { env: value } : { file: value }) ?? '';
    if (secret === '') return 'the secret is empty';
    if (name === 'headers_file') parseHeaders(secret);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

import { readSecret } from './secret.js';

/** Keys of an endpoint that locate its credentials. */
export interface CredentialKeys {
  readonly headers_file?: string | undefined;
  readonly username?: string | undefined;
  readonly password_file?: string | undefined;
  readonly password_env?: string | undefined;
}

/** Headers for every request to an endpoint. @throws Error that names the faulty key and never a value */
export const credentialHeaders = (keys: CredentialKeys): Readonly<Record<string, string>> => {
  const { headers_file: file, username, password_file, password_env } = keys;
  const headers = file === undefined ? {} : parseHeaders(readSecret({ file }) ?? '');
  if (username === undefined) return headers;
  const password = readSecret({ file: password_file, env: password_env }) ?? '';
  return { ...headers, authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
};

/**
 * Parses lines `Name: value`; skips empty lines and lines that begin with #. @throws Error that contains the line
 * number, not its text
 */
export const parseHeaders = (text: string): Readonly<Record<string, string>> => {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, value] = /^([\w-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)[ \t]*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new Error(`line ${index + 1} is not "Name: value"`);
    headers[name.toLowerCase()] = value;
  }
  return headers;
};

import { isBlock, word } from './scalars.js';

/** Schema of a key for the path of a file with a secret. */
export const file = (what: string) => word('the path of a file').optional().describe(`File with ${what}.`);
/** Schema of a key for an environment variable with a secret. */
export const env = (what: string) =>
  word('the name of an environment variable').optional().describe(`Environment variable with ${what}.`);

/** Rejects a secret that is given twice, and a missing secret that is required. */
export const oneSecret = (name: string, isNeeded: boolean) => ({
  check: (value: object): boolean => {
    const given = [`${name}_file`, `${name}_env`].filter((key) => key in value).length;
    return given === 1 || (given === 0 && !isNeeded);
  },
  options: {
    error: isNeeded
      ? `one of ${name}_file and ${name}_env is required`
      : `allowed is one of ${name}_file and ${name}_env, not both`,
    when: isBlock,
  },
});

/** An optional password. */
export const password = oneSecret('password', false);
/** An optional bearer token. */
export const bearer = oneSecret('token', false);

export const needsUser = {
  check: (value: object): boolean => 'user' in value === ('password_file' in value || 'password_env' in value),
  options: {
    error: 'user needs one of password_file and password_env, and a password needs a user',
    when: isBlock,
  },
};

const url = oneSecret('url', true);

/** Requires exactly one of `url`, `url_file` and `url_env`. */
export const needsUrl = {
  check: (value: object): boolean => 'url' in value !== url.check(value),
  options: {
    error: 'one of url, url_file and url_env is needed; an address that is itself a secret goes to a file',
    when: isBlock,
  },
};

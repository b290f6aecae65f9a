import { readFileSync } from 'node:fs';

const read = (path: string): string | undefined => {
  try {
    return readFileSync(new URL(path, import.meta.url), 'utf8').trim();
  } catch {
    // The file does not exist, or this user cannot read it.
    return undefined;
  }
};

const manifest = JSON.parse(read('../package.json') ?? '{}') as { version: string; homepage?: string };

/** Version of this package. */
export const { version } = manifest;

/** Project page, once `npm run set-repository` has written it. */
export const { homepage } = manifest;

/** Commit of the checkout that contains this file; `undefined` in an installed package. */
const checkedOut = (): string | undefined => {
  const git = '../../../.git';
  const head = read(`${git}/HEAD`);
  const ref = /^ref: (.+)$/.exec(head ?? '')?.[1];
  if (ref === undefined) return head;
  const packed = read(`${git}/packed-refs`)
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`));
  return read(`${git}/${ref}`) ?? packed?.split(' ')[0];
};

/** Commit from which this package was built, 40 hexadecimal digits; `unknown` if it was packed outside a checkout. */
export const revision = checkedOut() ?? read('../dist/revision.txt') ?? 'unknown';

import { readFileSync } from 'node:fs';

const pem = (name: string): string =>
  readFileSync(new URL(`../../../tools/certificates/${name}.pem`, import.meta.url), 'utf8');

/** A self-signed certificate for 127.0.0.1 and localhost, valid from 2026-11-28 to 2126-11-04, with its key. */
export const selfSigned = { key: pem('self-signed-key'), cert: pem('self-signed') };

import { closeSync, openSync, readSync } from 'node:fs';

const elfMark = '\x7fELF';

/** `e_machine` of an ELF file with the byte order of x86 and ARM; `undefined` for other files. */
export function elfMachine(file: string): number | undefined {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, header, 0, header.length, 0) < header.length) return undefined;
  } finally {
    closeSync(descriptor);
  }
  return header.toString('latin1', 0, 4) === elfMark ? header.readUInt16LE(18) : undefined;
}

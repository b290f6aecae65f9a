import { execFile } from 'node:child_process';

export interface Ran {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly text: string;
}

/** Runs a program to completion; a failing program is a result, not an error. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((done) => {
    execFile(program, [...args], { cwd, maxBuffer: 64 * 1024 * 1024 }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      done({ code, text: out + err });
    });
  });
}

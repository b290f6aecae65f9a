import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Published, workspace } from '@hubwatch/bench/consumers';

/** A program in a README or another page, with its documented output. */
export interface ReadmeProgram {
  /** Heading above the program. */
  readonly title: string;
  readonly code: string;
  readonly output: string;
}

/** Node addresses in a README: the defaults of each interface. */
export const readmeAddresses = {
  grpc: '127.0.0.1:9090',
  rest: 'http://127.0.0.1:1317',
  rpc: 'http://127.0.0.1:26657',
} as const;

/** Programs in a package's README. */
export function readmePrograms(name: Published): ReadmeProgram[] {
  return pagePrograms(join('packages', name, 'README.md'));
}

/**
 * Every `ts` block of a page, and the `text` block that follows it.
 *
 * @param path below the workspace, or absolute
 * @throws Error if a program has no output
 */
export function pagePrograms(path: string): ReadmeProgram[] {
  const file = resolve(workspace, path);
  const text = readFileSync(file, 'utf8');
  const programs: ReadmeProgram[] = [];
  for (const match of text.matchAll(/```ts\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g)) {
    const [, code = '', output] = match;
    const title = [...text.slice(0, match.index).matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '';
    if (output === undefined) throw new Error(`${file}: the program under "${title}" is not followed by its output`);
    programs.push({ title, code, output });
  }
  return programs;
}

/** Replaces the addresses of a README with those of a running node. */
export function withAddresses(text: string, node: Readonly<Record<keyof typeof readmeAddresses, string>>): string {
  return text
    .replaceAll(readmeAddresses.rest, node.rest)
    .replaceAll(readmeAddresses.rpc, node.rpc)
    .replaceAll(readmeAddresses.grpc, node.grpc);
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** A program that has its result and is kept alive by the given code. */
function program(holding: string) {
  const module = fileURLToPath(new URL('left-open.ts', import.meta.url));
  const code = `import { tellLeftOpen } from ${JSON.stringify(module)}; tellLeftOpen(50); ${holding}`;
  return run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { cwd: import.meta.dirname });
}

describe('tellLeftOpen', () => {
  it('a program without open resources: exits on its own', async () => {
    await expect(program('')).resolves.toMatchObject({ stderr: '' });
  });

  it('a program with open resources: fails and prints them', async () => {
    await expect(
      program("import('node:net').then(({ createServer }) => createServer().listen(0, '127.0.0.1'))"),
    ).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^still open 50 ms after the result: .*TCPServerWrap/) as string,
    });
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedDocs } from './docs.js';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = await generatedDocs();

describe('docs', () => {
  it.each([...pages])('docs: %s is what the declarations say; "npm run docs" writes it', (path, text) => {
    expect(existsSync(join(root, path)) ? read(path) : '(no such file)').toBe(text);
  });

  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])(
    'docs: every link and path of %s leads somewhere',
    (path) => {
      const text = read(path);
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) => link);
      const paths = [...text.matchAll(/`((?:packages|tools|docs|deploy|proto)\/[\w./-]*)`/g)].map(
        ([, file = '']) => file,
      );
      const missing = [...links, ...paths].filter((file) => !/NAME/.test(file) && !existsSync(join(root, file)));
      expect(missing).toEqual([]);
      expect(links.length + paths.length).toBeGreaterThan(0);
    },
  );

  it('docs: README shows the two commands', () => {
    expect(read('README.md')).toMatch(/^npm start$/m);
    expect(read('README.md')).toMatch(/^npm test$/m);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedDocs, retentionTable } from './docs.js';

const root = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = await generatedDocs();

describe('docs', () => {
  it.each([...pages])('docs: %s matches the declarations; run "npm run docs" to update it', (path, text) => {
    expect(existsSync(join(root, path)) ? read(path) : '(no such file)').toBe(text);
  });

  it('docs: store.md has the retention of every table as it is declared', () => {
    expect(read('docs/store.md')).toContain(retentionTable());
  });

  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'])(
    'docs: every link and path of %s has a target',
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

  it.each(['types', 'client'])('docs: every entry in the README of %s is an entry of the package', (name) => {
    const folder = `packages/${name}`;
    const { exports } = JSON.parse(read(`${folder}/package.json`)) as {
      readonly exports: Readonly<Record<string, unknown>>;
    };
    const entries = [...read(`${folder}/README.md`).matchAll(/`…\/([\w./<> -]+)`/g)].map(([, entry = '']) => entry);
    const missing = entries.filter((entry) => {
      if (Object.hasOwn(exports, `./${entry}`)) return false;
      if (!Object.hasOwn(exports, './*')) return true;
      if (entry === '<proto package>') return !Object.hasOwn(exports, './hub/*');
      // A placeholder stands for the content of its folder.
      const [path = '', ...named] = entry.split('<');
      if (named.some((name) => !['service>', 'proto file>', 'interface>'].includes(name))) return true;
      return !existsSync(join(root, folder, 'src', path === entry ? `${entry}.ts` : path));
    });
    expect(missing).toEqual([]);
    expect(entries.length).toBeGreaterThan(3);
  });

  it('docs: the README shows the two commands', () => {
    expect(read('README.md')).toMatch(/^npm start$/m);
    expect(read('README.md')).toMatch(/^npm test$/m);
  });
});

// ESLint rule: allow-list of imports between rooms of a package. A room is a folder or a file directly in `src`.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/** Cached tables, by package folder. */
const tables = new Map();

/** `boundaries.json` of a package; `undefined` if there is none. */
const tableOf = (folder) => {
  if (!tables.has(folder)) {
    const file = join(folder, 'boundaries.json');
    tables.set(folder, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
  }
  return tables.get(folder);
};

/** Path below `src` without its extension; `undefined` for other paths. */
const insideOf = (src, path) => {
  const inside = relative(src, path);
  return inside.startsWith('..') ? undefined : inside.replaceAll(sep, '/').replace(/\.[jt]s$/, '');
};

/** Room of a path below `src`; `undefined` for other paths. */
const roomOf = (src, path) => insideOf(src, path)?.split('/')[0];

export const rooms = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const [, folder] = /^(.*\/(?:packages|tools)\/[^/]+)\/src\//.exec(context.filename.replaceAll(sep, '/')) ?? [];
    const table = folder === undefined ? undefined : tableOf(folder);
    if (table === undefined) return {};
    const src = join(folder, 'src');
    const own = roomOf(src, context.filename);
    const allowed = Object.hasOwn(table, own) ? table[own] : [];
    const check = (source) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return;
      const file = resolve(dirname(context.filename), source.value);
      const room = roomOf(src, file);
      // A table may allow a single file of another room.
      if (room === own || allowed.includes(room) || allowed.includes(insideOf(src, file))) return;
      const rule = `${own} may import ${allowed.length === 0 ? 'no other room' : `only ${allowed.join(', ')}`}`;
      context.report({
        node: source,
        message: `${rule}, not ${room ?? 'files outside src'} (${relative(context.cwd, folder)}/boundaries.json)`,
      });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      TSExternalModuleReference: ({ expression }) => check(expression),
    };
  },
};

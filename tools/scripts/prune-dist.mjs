// Runs before a package is packed, in its folder: removes files from dist/ that have no source any more. The compiler
// does not delete the output of a renamed or deleted file, and npm would publish it. bundle-dist.mjs writes the chunks
// and removes its own outdated ones.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
if (!existsSync('dist/index.d.ts')) {
  process.stderr.write(`${name}: dist/ is not built; build it with "npx nx run ${name}:build"\n`);
  process.exit(1);
}
const config = readFileSync('tsconfig.lib.json', 'utf8');
const withMaps = !/"sourceMap":\s*false/.test(config);
const withDeclarationMaps = withMaps && !/"declarationMap":\s*false/.test(config);
for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const folder = entry.parentPath ?? entry.path;
  if (folder === join('dist', 'chunks')) continue;
  const file = join(folder, entry.name);
  const [, stem, map] = /^(.*?)(?:\.d\.ts|\.js)(\.map)?$/.exec(relative('dist', file)) ?? [];
  const isMapped = file.endsWith('.d.ts.map') ? withDeclarationMaps : map === undefined || withMaps;
  const made = stem !== undefined && existsSync(join('src', `${stem}.ts`)) && isMapped;
  if (!made) rmSync(file);
}

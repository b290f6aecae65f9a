// Runs before a package is packed, in its folder: takes out of dist/ what no source makes any more. The compiler leaves the
// output of a renamed or deleted file behind, and npm would publish it. Chunks are
// made by bundle-dist.mjs, which takes out its own.
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

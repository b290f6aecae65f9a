// Runs in the folder of the types or the client package, when it is built and before it is packed: writes the JavaScript of
// dist/ from src/. Every module keeps its path, as what imports and exports; the code stands in a few files under dist/chunks,
// because Node takes longer to find many files than to run what is in them. Declarations come from the compiler.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const src = resolve('src');
const dist = resolve('dist');

/** By package, the file for the code of a module; `undefined` leaves it where it is. */
const chunkOf = { '@hubwatch/types': chunkOfTypes, '@hubwatch/client': chunkOfClient }[
  JSON.parse(readFileSync('package.json', 'utf8')).name
];

function chunkOfTypes(path) {
  if (path.startsWith('runtime/')) return 'runtime';
  const [, kind, domain] = /^gen\/(forms|methods|services|any|grpc|msgs)\/([^/]+)\/?/.exec(path) ?? [];
  if (kind === 'any') return 'any';
  // `methods/all.ts` is a file, not a folder.
  if (kind === undefined || domain.endsWith('.ts')) return undefined;
  // A service is a list of its methods and is never loaded without them.
  return `${kind === 'services' ? 'methods' : kind}-${domain}`;
}

function chunkOfClient(path) {
  const [folder, file] = path.split('/');
  if (folder === 'rest' || folder === 'rpc' || folder === 'abci') return folder;
  // What stands in one file is loaded together: only what every transport of these needs, not what opens them or asks more.
  const isShared = file === undefined || folder === 'http' || folder === 'naming';
  return !isShared ||
    /(?:^|\/)(?:index|connect|create-client|heights|height-explainer|detect|public|answer-budget|node-send|fetch-send|origin|unpack)\.ts$/.test(
      path,
    )
    ? undefined
    : 'shared';
}

const sources = filesOf(src).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
const bundle = await rolldown({
  input: Object.fromEntries(sources.map((path) => [path.slice(0, -'.ts'.length), join(src, path)])),
  platform: 'neutral',
  external: /^[^./]/,
  // What of a module is used is decided where it is bundled into an application.
  treeshake: false,
  preserveEntrySignatures: 'allow-extension',
  resolve: { extensionAlias: { '.js': ['.ts'] } },
  onLog(level, log) {
    throw new Error(`${level}: ${log.message}`);
  },
});
const { output } = await bundle.generate({
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  comments: { annotation: true, legal: true, jsdoc: false },
  codeSplitting: {
    // Without it, whatever a chunk imports would stand in it too.
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'chunks', name: (id) => chunkOf(relative(src, id).replaceAll('\\', '/')) }],
  },
});
await bundle.close();

const wanted = new Map(output.map((file) => [file.fileName, file.code]));
for (const [path, code] of wanted) {
  const file = join(dist, path);
  // Others may be reading: what did not change is left alone.
  if (existsSync(file) && readFileSync(file, 'utf8') === code) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
for (const path of filesOf(dist)) if (/\.js(?:\.map)?$/.test(path) && !wanted.has(path)) rmSync(join(dist, path));

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .sort();
}

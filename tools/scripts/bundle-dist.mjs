// Runs in the folder of the types or the client package, after the build and before packing: writes the JavaScript of
// dist/ from src/. Every module keeps its path, but only imports and exports. The code is in a few files under
// dist/chunks, because Node takes longer to find many files than to run their code. Declarations come from the
// compiler.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const src = resolve('src');
const dist = resolve('dist');

/** The chunk for a module's code, by package; `undefined` leaves the code in the module. */
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
  // Code in one chunk is loaded together. The shared chunk has only code that every one of these transports requires,
  // not code that opens them or makes further queries.
  const isShared = file === undefined || folder === 'http' || folder === 'naming';
  return !isShared ||
    /(?:^|\/)(?:index|connect|create-client|heights|height-explainer|detect|public|answer-budget|platform-codes|platform-codes\.browser|lazy-send|node-send|fetch-send|origin|unpack)\.ts$/.test(
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
  // Unused code is removed only when an application bundles the module.
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
    // Otherwise a chunk would also contain everything that it imports.
    includeDependenciesRecursively: false,
    groups: [{ debugName: 'chunks', name: (id) => chunkOf(relative(src, id).replaceAll('\\', '/')) }],
  },
});
await bundle.close();

const wanted = new Map(output.map((file) => [file.fileName, file.code]));
for (const [path, code] of wanted) {
  const file = join(dist, path);
  // Other processes may be reading the file, so an unchanged file is not written.
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

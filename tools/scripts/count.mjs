// npm run count [-- COMMIT]: size of the tree, and exported names declared in two files.
import { execFileSync } from 'node:child_process';

const commit = process.argv[2] ?? 'HEAD';
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 30 });

/** Source files of a commit, path → text. */
function sources() {
  const paths = git('ls-tree', '-r', '--name-only', commit)
    .split('\n')
    .filter(
      (path) => /^(?:packages|tools)\/.*\.(?:ts|tsx|mts|mjs)$/.test(path) && !/\/(?:recordings|fixtures)\//.test(path),
    );
  const texts = execFileSync('git', ['cat-file', '--batch'], {
    input: paths.map((path) => `${commit}:${path}`).join('\n'),
    maxBuffer: 1 << 30,
  });
  const found = new Map();
  let at = 0;
  for (const path of paths) {
    const end = texts.indexOf(10, at);
    const size = Number(texts.subarray(at, end).toString().split(' ')[2]);
    found.set(path, texts.subarray(end + 1, end + 1 + size).toString());
    at = end + 1 + size + 1;
  }
  return found;
}

const isGenerated = (path) => /\/gen\//.test(path);
const isTest = (path) => /\.test\.ts$|^packages\/[^/]+\/test\//.test(path);
const linesOf = (text) => text.split('\n').length - 1;
const docLine = /^\s*(?:\/\*\*|\*|\/\/)/;

const kinds = { 'hand-written, outside tests': [], tests: [], generated: [] };
for (const [path, text] of sources()) {
  const kind = isGenerated(path) ? 'generated' : isTest(path) ? 'tests' : 'hand-written, outside tests';
  kinds[kind].push({ path, text, lines: linesOf(text) });
}
const sum = (files) => files.reduce((total, { lines }) => total + lines, 0);
for (const [kind, files] of Object.entries(kinds)) {
  const sizes = files.map(({ lines }) => lines).sort((one, other) => one - other);
  const few = sizes.filter((lines) => lines <= 40).length;
  const share =
    sizes.length === 0
      ? ''
      : `, median ${sizes[sizes.length >> 1]}, ${Math.round((100 * few) / sizes.length)} % of at most 40 lines`;
  console.log(`${kind}: ${sum(files)} lines in ${files.length} files${share}`);
}
const withoutDocs = kinds.generated.flatMap(({ text }) =>
  text.split('\n').filter((line) => line !== '' && !docLine.test(line)),
);
console.log(`generated, without doc lines: ${withoutDocs.length} lines`);

let [entries, reportLines] = [0, 0];
for (const path of git('ls-tree', '-r', '--name-only', commit)
  .split('\n')
  .filter((one) => one.endsWith('/api-report.txt'))) {
  const text = git('show', `${commit}:${path}`);
  reportLines += linesOf(text);
  entries += text.split('\n').filter((line) => line.startsWith('# ')).length;
}
console.log(`public entries in API reports: ${entries}; lines of API reports: ${reportLines}`);

/** Files that declare each exported name in hand-written code. A type and a value in the same file count as one. */
const declared = new Map();
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
for (const { path, text } of kinds['hand-written, outside tests']) {
  if (!path.startsWith('packages/')) continue;
  for (const [, name] of text.matchAll(declaration)) declared.set(name, (declared.get(name) ?? new Set()).add(path));
}
/** Files of which a package selects one by platform: their shared names have the same meaning. */
const alternatives = [
  ['packages/client/src/grpc/', ['browser.ts', 'lazy.ts', 'transport.ts', 'reflection.ts']],
  ['packages/client/src/http/', ['fetch-send.ts', 'lazy-send.ts', 'node-send.ts']],
  ['packages/client/src/', ['platform-codes.browser.ts', 'platform-codes.ts']],
  ['packages/types/src/runtime/', ['decode.browser.ts', 'decode.ts']],
].map(([folder, names]) => names.map((name) => folder + name));
const isOneMeaning = (paths) => alternatives.some((files) => [...paths].every((path) => files.includes(path)));
const twice = [...declared]
  .filter(([, paths]) => paths.size > 1 && !isOneMeaning(paths))
  .sort(([one], [other]) => (one < other ? -1 : 1));
console.log(`exported names that two files of packages/ declare: ${twice.length}`);
for (const [name, paths] of twice) console.log(`  ${name}: ${[...paths].join(', ')}`);

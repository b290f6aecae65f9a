// npm test: sets up missing parts, then runs every check. The last line is `N passed, N failed, N skipped`.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, fail, folderOf, install, nx, root } from './setup.mjs';

const testProjects = ['types', 'codegen', 'client', 'daemon', 'devnode', 'demo', 'bench', 'package', 'proofs', 'e2e'];

/** Checks that count as one test each, ordered so that mistakes that are cheap to fix are found first. */
const checks = [
  { title: 'project references: up to date', args: ['sync:check'], remedy: 'npx nx sync' },
  { title: 'generated code: up to date with proto/', args: ['run', 'hubwatch:generated'], remedy: 'npm run generate' },
  { title: 'format: biome', args: ['run', 'hubwatch:format'], remedy: 'npm run format' },
  { title: 'types: every package and test', args: ['run-many', '-t', 'build', 'typecheck'] },
  {
    title: 'lint: eslint with module boundaries, oxlint with types',
    args: ['run-many', '-t', 'lint', 'lint-types', '-p', 'hubwatch'],
  },
  { title: 'dependencies: declared and imported are the same', args: ['run', 'hubwatch:dependencies'] },
];

const usage = `usage: npm test [-- --only TEXT]

Installs what is missing, then checks generated code, format, types and lint, and runs every test. Results are cached: what
did not change since it last passed is not run again. The last line is "N passed, N failed, N skipped".

  --only TEXT   only the checks and packages whose name holds TEXT
  --no-cache    run everything, whatever the cache holds
`;

const totals = { passed: 0, failed: 0, skipped: 0 };
const say = (line) => process.stdout.write(`${line}\n`);

try {
  const options = parse(process.argv.slice(2));
  if (options === undefined) {
    say(usage);
  } else {
    checkNode();
    await install(say);
    for (const check of checks) if (check.title.includes(options.only)) await runCheck(check, options);
    await runTests(
      testProjects.filter((name) => name.includes(options.only)),
      options,
    );
    say(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
    process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1;
  }
} catch (error) {
  fail(error);
}

async function runCheck({ title, args, remedy }, { cacheArgs }) {
  const started = performance.now();
  const { code, text } = await nx([...args, ...(args[0] === 'sync:check' ? [] : cacheArgs)]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const cached = /Nx read the output from the cache/.test(text) ? ', cached' : '';
  if (code === 0) {
    totals.passed += 1;
    say(`ok      ${title} (${seconds} s${cached})`);
    return;
  }
  totals.failed += 1;
  say(`\n${text}\nFAILED  ${title} (${seconds} s)${remedy === undefined ? '' : `; to mend it: ${remedy}`}`);
}

async function runTests(projects, { cacheArgs }) {
  if (projects.length === 0) return;
  const reports = projects.map((name) => ({ name, file: join(root, folderOf(name), '.reports/vitest.json') }));
  for (const { file } of reports) rmSync(file, { force: true });
  const started = performance.now();
  const names = projects.map((name) => `@hubwatch/${name}`).join(',');
  const args = [
    'run-many',
    '-t',
    'test',
    '-p',
    names,
    '--parallel=2',
    '--nxBail=false',
    '--outputStyle=static',
    ...cacheArgs,
  ];
  const { code, text } = await nx(args, { onLine: progress });
  const skipped = [];
  const failedBefore = totals.failed;
  for (const { name, file } of reports) countReport(name, file, skipped);
  if (code !== 0 && totals.failed === failedBefore) {
    totals.failed += 1;
    say(`\n${text.split('\n').slice(-80).join('\n')}\nFAILED  the test run ended with exit code ${code}`);
  }
  say(`        tests of ${projects.length} packages (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (skipped.length > 0) say(`\nskipped:\n${skipped.map((title) => `  - ${title}`).join('\n')}`);
}

/** Prints one line when each package ends, so that a long run shows progress. */
function progress(chunk) {
  for (const [, name, cached] of chunk.matchAll(/(?:✔|✖|❌|>) +nx run @hubwatch\/(\w+):test(.*)/g)) {
    say(`        ${name}${/cache/.test(cached) ? ' (cached)' : ''} …`);
  }
}

function countReport(name, file, skipped) {
  if (!existsSync(file)) {
    totals.failed += 1;
    say(`FAILED  tests of ${name}: no report was written`);
    return;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const before = { ...totals };
  for (const suite of report.testResults) {
    const failures = suite.assertionResults.filter((test) => test.status === 'failed');
    if (suite.status === 'failed' && failures.length === 0) {
      totals.failed += 1;
      say(`\nFAILED  ${name}: ${suite.name}\n${suite.message}`);
    }
    for (const test of suite.assertionResults) {
      if (test.status === 'passed') totals.passed += 1;
      else if (test.status === 'failed') totals.failed += 1;
      else {
        totals.skipped += 1;
        skipped.push(`${name}: ${test.fullName}`);
      }
    }
    for (const test of failures) say(`\nFAILED  ${name}: ${test.fullName}\n${test.failureMessages.join('\n')}`);
  }
  const [passed, failed] = [totals.passed - before.passed, totals.failed - before.failed];
  if (passed + failed === 0) {
    totals.failed += 1;
    say(`FAILED  tests of ${name}: the package has no test`);
    return;
  }
  say(
    `${failed === 0 ? 'ok    ' : 'FAILED'}  tests of ${name}: ${passed} passed${failed === 0 ? '' : `, ${failed} failed`}`,
  );
}

function parse(args) {
  const options = { only: '', cacheArgs: [] };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--help' || args[i] === '-h') return undefined;
    if (args[i] === '--only' && args[i + 1] !== undefined) options.only = args[++i];
    else if (args[i] === '--no-cache') options.cacheArgs = ['--skipNxCache'];
    else fail(new Error(`unknown option ${args[i]}\n\n${usage}`), 2);
  }
  return options;
}

// npm run generate [-- --check]: writes packages/types/src/gen and the oracle's messages from proto/, or reports
// outdated files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkNode, fail, install, root, run } from './setup.mjs';

const options = process.argv.slice(2);
/** ts-proto messages are not committed, so they are checked only if they were built. */
const oracle = 'tools/oracle/gen';

try {
  checkNode();
  await install(console.error);
  process.exitCode = await generate(options);
  const isWhole = !options.includes('--output') && !options.includes('--watch');
  const isBuilt = existsSync(join(root, oracle));
  if (isWhole && process.exitCode === 0 && (isBuilt || !options.includes('--check')))
    process.exitCode = await generate([...options, '--emitters', 'messages', '--output', oracle]);
} catch (error) {
  fail(error);
}

async function generate(args) {
  const program = join(root, 'packages/codegen/src/main.ts');
  const { code } = await run(process.execPath, [
    ...['--import', 'tsx', '-C', '@hubwatch/source', program, 'generate'],
    ...args,
  ]);
  return code;
}

// npm run generate [-- --check]: writes packages/types/src/gen from proto/, or says what is out of date.
import { join } from 'node:path';
import { checkNode, fail, install, root, run } from './setup.mjs';

try {
  checkNode();
  await install(console.error);
  const { code } = await run(process.execPath, [
    '--import',
    'tsx',
    '-C',
    '@hubwatch/source',
    join(root, 'packages/codegen/src/main.ts'),
    'generate',
    ...process.argv.slice(2),
  ]);
  process.exitCode = code;
} catch (error) {
  fail(error);
}

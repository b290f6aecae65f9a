// npm run docs: writes the tables of docs/ from the declarations in the code.
import { join } from 'node:path';
import { build, checkNode, fail, install, root, run } from './setup.mjs';

try {
  checkNode();
  await install(console.error);
  await build(console.error, ['types', 'client', 'daemon', 'codegen', 'devnode', 'demo', 'proofs', 'bench', 'e2e']);
  const { code } = await run(process.execPath, [join(root, 'tools/e2e/dist/write-docs.js')]);
  process.exitCode = code;
} catch (error) {
  fail(error);
}

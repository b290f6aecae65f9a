// Shared by bench.mjs and prove.mjs: sets up, builds, and runs the harness.
import { join } from 'node:path';
import { build, checkNode, fail, install, root, run } from './setup.mjs';

export async function runHarness(project) {
  try {
    checkNode();
    const say = (line) => process.stderr.write(`${line}\n`);
    await install(say);
    await build(say, ['types', 'client', 'daemon', 'codegen', 'devnode', project]);
    const { code } = await run(process.execPath, [
      join(root, `tools/${project}/dist/main.js`),
      ...process.argv.slice(2),
    ]);
    process.exitCode = code;
  } catch (error) {
    fail(error);
  }
}

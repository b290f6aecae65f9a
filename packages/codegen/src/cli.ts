import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { CodegenError } from './codegen-error.js';
import { generate, type GenerateOptions } from './generate.js';
import { outputFolder, showDifferences } from './output.js';

const help = `Usage: hubwatch-codegen <command> [options]

Makes the generated files of the types package from proto/ and proto/spec.

Commands
  generate          write what differs, delete what is no longer generated
  generate --check  write nothing; exit code 1 and a short diff when a file differs
  generate --lock   accept changed inputs: write their digests into proto/lock.json, then generate

Options
  --root DIR   folder that holds proto/ and packages/types
               (default: the nearest one upwards from the working folder)
  -h, --help   this text

Exit codes: 0 done, 1 a file differs or an input is wrong, 2 wrong usage.
`;

const commands = ['generate'];

export interface CliStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs the command line and gives the exit code. */
export async function runCli(args: readonly string[], cwd: string, { out, err }: CliStreams): Promise<number> {
  try {
    const { values, positionals } = parse(args);
    if (values.help) {
      out(help);
      return 0;
    }
    const [command, ...rest] = positionals;
    if (command === undefined) throw new UsageError(`a command is missing; commands are ${commands.join(', ')}`);
    if (!commands.includes(command)) throw new UsageError(`${command}: commands are ${commands.join(', ')}`);
    if (rest.length > 0) throw new UsageError(`${command} takes options only, not ${rest.join(' ')}`);
    if (values.check && values.lock) throw new UsageError('--check writes nothing and --lock does; give one of them');
    const root = values.root === undefined ? findRoot(cwd) : checkRoot(resolve(cwd, values.root));
    return await runGenerate({ root, check: values.check ?? false, lock: values.lock ?? false }, { out, err });
  } catch (error) {
    if (error instanceof UsageError) {
      err(`hubwatch-codegen: ${error.message}\nSee hubwatch-codegen --help.\n`);
      return 2;
    }
    if (!(error instanceof CodegenError)) throw error;
    err(`hubwatch-codegen: ${error.message}\n`);
    return 1;
  }
}

class UsageError extends Error {}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        check: { type: 'boolean' },
        lock: { type: 'boolean' },
        root: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

function isRoot(folder: string): boolean {
  return existsSync(join(folder, 'proto/buf.yaml')) && existsSync(join(folder, dirname(outputFolder)));
}

function checkRoot(folder: string): string {
  if (isRoot(folder)) return folder;
  throw new CodegenError(
    `${folder} holds no proto/buf.yaml and ${dirname(outputFolder)}; give the right one with --root`,
  );
}

function findRoot(cwd: string): string {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isRoot(folder)) return folder;
    if (folder === dirname(folder)) break;
  }
  throw new CodegenError(
    `no folder from ${cwd} upwards holds proto/buf.yaml and ${dirname(outputFolder)}; give one with --root`,
  );
}

async function runGenerate(options: GenerateOptions, { out, err }: CliStreams): Promise<number> {
  const start = performance.now();
  const { differences, files, methods, protos, services } = await generate(options);
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  const summary = `${files} files from ${protos} protos, ${services} services, ${methods} methods, ${seconds} s`;
  if (!options.check || differences.length === 0) {
    const did = options.check ? 'up to date' : `${differences.length} written`;
    out(`${outputFolder}: ${did}; ${summary}\n`);
    return 0;
  }
  for (const line of showDifferences(differences)) err(`${line}\n`);
  err(`${differences.length} of ${summary} differ. Run \`npm run generate\` and commit the result.\n`);
  return 1;
}

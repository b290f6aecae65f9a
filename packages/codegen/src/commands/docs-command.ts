import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { interfaceDocs } from '../docs/interface-docs.js';
import type { Command } from './command.js';
import { valueOption } from './value-option.js';

export const docsCommand: Command = {
  name: 'docs',
  summary: 'write reference pages',
  declare: (command) =>
    command
      .description('Writes reference pages: methods, enums, events, messages of transactions, refusals.')
      .addOption(valueOption('--out <DIR>', 'folder of the pages').makeOptionMandatory()),
  async run({ project, cwd, flags, out, json }) {
    const folder = String(flags['out']);
    const pages = await interfaceDocs(project);
    await mkdir(resolve(cwd, folder), { recursive: true });
    for (const [name, text] of pages) await writeFile(join(resolve(cwd, folder), name), text);
    const names = [...pages.keys()];
    if (json) out(`${JSON.stringify({ command: 'docs', ok: true, out: folder, pages: names })}\n`);
    else out(`${folder}: ${names.join(', ')}\n`);
    return 0;
  },
};

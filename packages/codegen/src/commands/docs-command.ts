import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { interfaceDocs } from '../docs/interface-docs.js';
import { UsageError } from '../usage-error.js';
import type { Command } from './command.js';

export const docsCommand: Command = {
  name: 'docs',
  takes: [],
  options: { out: true },
  help: [['docs --out DIR', 'write reference pages: methods, enums, events, messages of transactions, refusals']],
  async run({ project, cwd, flags, out, json }) {
    const folder = flags['out'];
    if (typeof folder !== 'string') throw new UsageError('docs writes into a folder; name it with --out');
    const pages = await interfaceDocs(project);
    await mkdir(resolve(cwd, folder), { recursive: true });
    for (const [name, text] of pages) await writeFile(join(resolve(cwd, folder), name), text);
    const names = [...pages.keys()];
    if (json) out(`${JSON.stringify({ command: 'docs', ok: true, out: folder, pages: names })}\n`);
    else out(`${folder}: ${names.join(', ')}\n`);
    return 0;
  },
};

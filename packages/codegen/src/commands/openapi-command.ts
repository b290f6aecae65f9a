import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { printOpenApi } from '../openapi/document.js';
import { openApi } from '../openapi/open-api.js';
import type { Command } from './command.js';
import { valueOption } from './value-option.js';

export const openapiCommand: Command = {
  name: 'openapi',
  summary: 'print the REST gateway as OpenAPI 3.1',
  declare: (command) =>
    command
      .description('Prints the REST gateway as OpenAPI 3.1, with the served routes only.')
      .addOption(valueOption('--profile <NAME>', 'under the names of a naming profile'))
      .addOption(valueOption('--out <FILE>', 'write it into a file')),
  async run({ project, cwd, flags, out, json }) {
    const { profile, out: file } = flags;
    const document = await openApi({ root: project, profile: typeof profile === 'string' ? profile : undefined });
    const text = printOpenApi(document);
    if (typeof file !== 'string') {
      out(text);
      return 0;
    }
    await writeFile(resolve(cwd, file), text);
    const paths = Object.keys(document.paths).length;
    out(json ? `${JSON.stringify({ command: 'openapi', ok: true, out: file, paths })}\n` : `${file}: ${paths} paths\n`);
    return 0;
  },
};

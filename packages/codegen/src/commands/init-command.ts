import { init } from '../init.js';
import type { Command } from './command.js';

export const initCommand: Command = {
  name: 'init',
  startsEmpty: true,
  summary: 'write a configuration file',
  declare: (command) =>
    command.description('Writes a configuration file and a small spec, and an example if there are no proto files.'),
  async run({ project, flags, out, json }) {
    const protos = typeof flags['protos'] === 'string' ? project.protos : undefined;
    const report = await init(project.folder, protos);
    if (json) out(`${JSON.stringify({ command: 'init', ok: true, ...report })}\n`);
    else {
      for (const path of report.written) out(`${path}\n`);
      out('Next: npx hubwatch-codegen generate\n');
    }
    return 0;
  },
};

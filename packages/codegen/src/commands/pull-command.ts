import { pull } from '../pull/pull.js';
import type { Command } from './command.js';

export const pullCommand: Command = {
  name: 'pull',
  takes: ['endpoint'],
  options: {},
  help: [['pull ENDPOINT', 'read the proto files of a live node over gRPC reflection, write them and lock them']],
  async run({ project, args: [endpoint = ''], out, json, progress }) {
    const report = await pull(project, endpoint, progress);
    if (json) {
      out(`${JSON.stringify({ command: 'pull', ok: true, endpoint, ...report })}\n`);
      return 0;
    }
    const { services, files, written, notOnNode, unknown } = report;
    const lock = project.lock ?? (project.configPath === undefined ? 'proto/lock.json' : undefined);
    const locked = lock === undefined ? '' : `, locked in ${lock}`;
    out(`${project.protos[0]}: ${written.length} written; ${files} files of ${services} services${locked}\n`);
    for (const path of notOnNode) out(`  ${path}: the node has no such file; it stays as it is\n`);
    for (const name of unknown) out(`  ${name}: named by the spec, unknown to the node\n`);
    return 0;
  },
};

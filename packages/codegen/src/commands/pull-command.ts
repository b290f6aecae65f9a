import { pull } from '../pull/pull.js';
import type { Command } from './command.js';

export const pullCommand: Command = {
  name: 'pull',
  takes: ['endpoint'],
  options: {},
  startsEmpty: true,
  help: [['pull ENDPOINT', 'read the proto files of a live node over gRPC reflection, write them and lock them']],
  async run({ root, args: [endpoint = ''], out, json, progress }) {
    const report = await pull(root, endpoint, progress);
    if (json) {
      out(`${JSON.stringify({ command: 'pull', ok: true, endpoint, ...report })}\n`);
      return 0;
    }
    const { services, files, written, notOnNode, unknown } = report;
    out(`proto: ${written.length} written; ${files} files of ${services} services, locked in proto/lock.json\n`);
    for (const path of notOnNode) out(`  ${path}: the node has no such file; it stays as it is\n`);
    for (const name of unknown) out(`  ${name}: named by proto/spec, unknown to the node\n`);
    return 0;
  },
};

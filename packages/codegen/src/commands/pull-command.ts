import { pull } from '../pull/pull.js';
import type { Command } from './command.js';

export const pullCommand: Command = {
  name: 'pull',
  summary: 'read the proto files of a live node',
  declare: (command) =>
    command
      .description('Reads the proto files of a live node over gRPC reflection, writes them and locks them.')
      .argument('<ENDPOINT>', 'gRPC address of the node, HOST:PORT'),
  async run({ project, args: [endpoint = ''], out, json, progress }) {
    const report = await pull(project, endpoint, progress);
    if (json) {
      const ok = report.failed.length === 0;
      out(`${JSON.stringify({ command: 'pull', ok, endpoint, ...report })}\n`);
      return ok ? 0 : 1;
    }
    const { services, files, written, notOnNode, unknown, vendored, failed } = report;
    const lock = project.lock ?? (project.configPath === undefined ? 'proto/lock.json' : undefined);
    const locked = lock === undefined ? '' : `, locked in ${lock}`;
    out(`${project.protos[0]}: ${written.length} written; ${files} files of ${services} services${locked}\n`);
    for (const path of notOnNode.filter((each) => !vendored.includes(each)))
      out(`  ${path}: the node has no such file; it stays as it is\n`);
    for (const name of unknown) out(`  ${name}: named by the spec, unknown to the node\n`);
    for (const path of vendored)
      out(`  ${path}: the node imports it and does not give it; the file that is there stays\n`);
    for (const { service, why } of failed) out(`  ${service}: left out, ${why}\n`);
    return failed.length === 0 ? 0 : 1;
  },
};

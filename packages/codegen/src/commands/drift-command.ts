import { drift } from '../compare/drift.js';
import type { Command } from './command.js';

export const driftCommand: Command = {
  name: 'drift',
  takes: ['endpoint'],
  options: {},
  help: [['drift ENDPOINT', 'hold a live node against lock and spec; exit code 1 names the contradicted lines']],
  async run({ project, args: [endpoint = ''], out, json }) {
    const report = await drift(project, endpoint);
    const ok = report.drifts.length === 0;
    if (json) out(`${JSON.stringify({ command: 'drift', ok, endpoint, ...report })}\n`);
    else {
      for (const { line, what } of report.drifts) out(`${line}: ${what}\n`);
      out(
        `${endpoint}: ${report.services} services, ${report.files} files, ${report.drifts.length} lines contradicted\n`,
      );
    }
    return ok ? 0 : 1;
  },
};

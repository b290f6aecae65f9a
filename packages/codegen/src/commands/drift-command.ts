import { drift } from '../compare/drift.js';
import { CommandUsageError } from '../usage-error.js';
import type { Command } from './command.js';
import { valueOption } from './value-option.js';

export const driftCommand: Command = {
  name: 'drift',
  summary: 'compare a live node with lock and spec',
  declare: (command) =>
    command
      .description('Compares a live node with lock and spec; exit code 1 names the contradicted lines.')
      .argument('<ENDPOINT>', 'gRPC address of the node, HOST:PORT')
      .option('--calls', 'also call every read-only method, and compare its answer with the spec')
      .addOption(valueOption('--rest <URL>', 'with --calls: also request the routes of its gateway')),
  async run({ project, args: [endpoint = ''], flags, out, json }) {
    const calls = flags['calls'] === true;
    const rest = typeof flags['rest'] === 'string' ? flags['rest'] : undefined;
    if (rest !== undefined && !calls) throw new CommandUsageError('--rest goes with --calls');
    if (rest !== undefined && !/^https?:\/\//.test(rest)) {
      throw new CommandUsageError(`--rest ${rest}: give an address such as http://127.0.0.1:1317`);
    }
    const report = await drift(project, endpoint, { calls, rest });
    // Without a response, it is unknown whether a method is served: the check is incomplete and must not look
    // successful.
    const silent = report.called?.noAnswer.length ?? 0;
    const ok = report.drifts.length === 0 && silent === 0;
    if (json) out(`${JSON.stringify({ command: 'drift', ok, endpoint, ...report })}\n`);
    else {
      const { drifts, services, files, called } = report;
      for (const { line, what } of drifts) out(`${line}: ${what}\n`);
      for (const what of called?.noAnswer ?? []) out(`no answer, so nothing is known: ${what}\n`);
      const asked = called === undefined ? '' : `${called.calls} calls, ${called.notAsked} methods not called, `;
      out(`${endpoint}: ${services} services, ${files} files, ${asked}${drifts.length} lines contradicted\n`);
    }
    if (report.drifts.length > 0) return 1;
    return silent > 0 ? 3 : 0;
  },
};

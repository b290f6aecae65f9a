import { findBreaking, type BreakingReport } from '../breaking/breaking.js';
import { areas, type InterfaceChange } from '../breaking/change.js';
import type { Command } from './command.js';
import { valueOption } from './value-option.js';

export const breakingCommand: Command = {
  name: 'breaking',
  summary: 'compare with an earlier state',
  declare: (command) =>
    command
      .description(
        'Compares with an earlier state; exit code 1 if the wire, the served methods or code that uses the output break.',
      )
      .addOption(
        valueOption(
          '--against <REF>',
          'a commit, branch or tag of git, a folder, a tarball or a descriptor set',
        ).makeOptionMandatory(),
      ),
  async run({ project, cwd, flags, out, json, progress }) {
    const against = String(flags['against']);
    progress(`reading ${against} …`);
    const report = await findBreaking(project, against, cwd);
    const count = (level: string): number => report.changes.filter((change) => change.level === level).length;
    const ok = count('major') === 0;
    if (json) {
      out(
        `${JSON.stringify({ command: 'breaking', ok, against, breaking: count('major'), added: count('minor'), ...report })}\n`,
      );
    } else {
      for (const line of linesOf(report.changes)) out(`${line}\n`);
      out(`against ${against}: ${count('major')} breaking, ${count('minor')} added; ${nextOf(report)}\n`);
    }
    return ok ? 0 : 1;
  },
};

/** Maximum number of additions in the text output; the rest is counted. */
const shown = 10;

function linesOf(changes: readonly InterfaceChange[]): string[] {
  const lines: string[] = [];
  for (const area of areas) {
    const breaking = changes.filter((change) => change.area === area && change.level === 'major');
    if (breaking.length > 0) lines.push(`${titles[area]}:`);
    for (const { subject, what, rule } of breaking) lines.push(`  ${subject}: ${what} (${rule})`);
  }
  const added = changes.filter(({ level }) => level === 'minor');
  if (added.length > 0) lines.push('added:');
  for (const { subject, what } of added.slice(0, shown)) lines.push(`  ${subject}: ${what}`);
  if (added.length > shown) lines.push(`  and ${added.length - shown} more; --json shows them all`);
  return lines;
}

const titles = {
  wire: 'breaks on the wire',
  availability: 'no longer served',
  api: 'breaks code that uses the output',
} as const;

function nextOf({ bump, version }: BreakingReport): string {
  if (bump === 'none') return 'nothing changed';
  return `the next version is a ${bump} one${version ? `, ${version.to} after ${version.from}` : ''}`;
}

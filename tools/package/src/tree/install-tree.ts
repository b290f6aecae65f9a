import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '@hubwatch/bench/consumers';
import { commandTree } from '@hubwatch/daemon/declarations';
import { bashCompletion } from '../commands/bash-completion.js';
import { fishCompletion } from '../commands/fish-completion.js';
import { type ManPageFacts, manPage } from '../commands/man-page.js';
import { zshCompletion } from '../commands/zsh-completion.js';
import { writeTree, zipped } from '../files.js';
import { launcher } from './launcher.js';

const document = 'share/doc/hubwatch';

/** Writes the files next to the bundle, below `/usr` or below the folder of a tarball. */
export function writeInstallTree(folder: string, facts: ManPageFacts): void {
  writeTree(folder, 'bin/hubwatch', launcher, 0o755);
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE', ...operatorPages()])
    copy(folder, file, `${document}/${file}`);
  copy(folder, 'deploy/hubwatch.example.yml', `${document}/hubwatch.example.yml`);
  copy(folder, 'packages/daemon/schema/config.json', 'share/hubwatch/config.schema.json');
  for (const name of ['prometheus', 'grafana']) {
    const source = join(workspace, 'deploy', name);
    if (existsSync(source)) cpSync(source, join(folder, 'share/hubwatch', name), { recursive: true });
  }
  writeCommandFiles(folder, facts);
}

/** Writes the files that are generated from the declared commands. */
function writeCommandFiles(folder: string, facts: ManPageFacts): void {
  const program = commandTree();
  writeTree(folder, 'share/man/man1/hubwatch.1.gz', zipped(manPage(program, facts)));
  writeTree(folder, 'share/bash-completion/completions/hubwatch', bashCompletion(program));
  writeTree(folder, 'share/zsh/vendor-completions/_hubwatch', zshCompletion(program));
  writeTree(folder, 'share/fish/vendor_completions.d/hubwatch.fish', fishCompletion(program));
}

/** Pages in `docs/` without those in subfolders, which are for developers. */
function operatorPages(): string[] {
  return readdirSync(join(workspace, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
}

function copy(folder: string, source: string, target: string): void {
  writeTree(folder, target, readFileSync(join(workspace, source)));
}

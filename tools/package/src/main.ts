import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { workspace } from '@hubwatch/bench/consumers';
import { architectures } from './architecture.js';
import { buildPackages } from './build-packages.js';

const usage = `usage: npm run package [-- OPTIONS]

Builds Debian packages and tarballs of the daemon for amd64 and arm64, each with the Node runtime that it needs, an SBOM
and SHA256SUMS. Two builds of one commit give the same bytes. It needs dpkg-deb, GNU tar and the npm registry.

  --out DIR             folder of the packages (default: out)
  --arch NAME           amd64 or arm64 only
  --maintainer TEXT     "NAME <MAIL>" in the Debian packages
  --help                this text
`;

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const options = parse(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n\n${usage}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(usage);
    return 0;
  }
  const chosen = architectures.filter(({ debian }) => options.arch === undefined || options.arch === debian);
  if (chosen.length === 0) {
    process.stderr.write(`--arch ${options.arch}: must be ${architectures.map(({ debian }) => debian).join(' or ')}\n`);
    return 2;
  }
  const out = resolve(workspace, options.out);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await buildPackages({ out, architectures: chosen, maintainer: options.maintainer, say });
  say(`packages in ${out}`);
  return 0;
}

function parse(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        out: { type: 'string', default: 'out' },
        arch: { type: 'string' },
        maintainer: { type: 'string', default: 'hubwatch authors <hubwatch@invalid>' },
        help: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

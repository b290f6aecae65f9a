import type { Bundle } from './bundle/install.js';
import type { InstalledPackage } from './bundle/installed-packages.js';

export interface SbomFacts {
  readonly version: string;
  /** Time stamp of the document, in seconds since 1970. */
  readonly epoch: number;
}

/** Bill of materials in CycloneDX 1.5: every package in a bundle with its license and the digest of its tarball. */
export function sbom({ packages, node }: Bundle, { version, epoch }: SbomFacts): string {
  const byLocation = new Map(packages.map((each) => [each.location, each]));
  const own = packages.find(({ name }) => name === '@hubwatch/daemon');
  if (own === undefined) throw new Error('the bundle lacks @hubwatch/daemon');
  const root = `hubwatch@${version}`;
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { type: 'application', 'bom-ref': root, name: 'hubwatch', version, licenses: licensesOf(own.license) },
    },
    components: [...packages.map((each) => component(each, 'library')), component(node, 'platform')],
    dependencies: [
      { ref: root, dependsOn: [purl(own), purl(node)].sort() },
      ...packages.map((each) => ({ ref: purl(each), dependsOn: refsOf(each, byLocation) })),
      { ref: purl(node), dependsOn: [] },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function component(installed: InstalledPackage, type: 'library' | 'platform') {
  const { name, version, license, integrity } = installed;
  return {
    type,
    'bom-ref': purl(installed),
    name,
    version,
    hashes: [{ alg: 'SHA-512', content: hexDigest(integrity) }],
    licenses: licensesOf(license),
    purl: purl(installed),
  };
}

/** A single license by its identifier, or an expression with several. */
function licensesOf(license: string) {
  return /[\s(]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function refsOf({ dependencies }: InstalledPackage, byLocation: ReadonlyMap<string, InstalledPackage>): string[] {
  const refs = dependencies.flatMap((location) => {
    const found = byLocation.get(location);
    return found === undefined ? [] : [purl(found)];
  });
  return [...new Set(refs)].sort();
}

/** Package URL; the `@` of a scope must be escaped. */
function purl({ name, version }: InstalledPackage): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hexDigest(integrity: string): string {
  const [algorithm, digest] = integrity.split('-', 2);
  if (algorithm !== 'sha512' || digest === undefined) throw new Error(`expected a SHA-512 digest (got ${integrity})`);
  return Buffer.from(digest, 'base64').toString('hex');
}

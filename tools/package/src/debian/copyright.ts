import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from '../bundle/install.js';
import type { InstalledPackage } from '../bundle/installed-packages.js';

const bundleFolder = 'usr/lib/hubwatch';

/** Machine-readable `copyright` file: a stanza for hubwatch, for Node and for each package that is not ours. */
export function copyrightText(bundle: Bundle): string {
  const foreign = bundle.packages.filter(({ name }) => !name.startsWith('@hubwatch/'));
  const stanzas = [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: hubwatch',
    'Files: *\nCopyright: hubwatch authors\nLicense: Apache-2.0',
    `Files: ${bundleFolder}/bin/node\nCopyright: Node.js contributors and others\nLicense: Node\n See ${bundleFolder}/bin/LICENSE.`,
    ...foreign.map((each) => packageStanza(each, bundle.folder)),
    'License: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.',
  ];
  return `${stanzas.join('\n\n')}\n`;
}

function packageStanza({ location, name, license }: InstalledPackage, folder: string): string {
  const text = licenseFile(join(folder, location));
  const holders = text === undefined ? [] : holdersIn(readFileSync(join(folder, location, text), 'utf8'));
  const source = text ?? 'package.json';
  return [
    `Files: ${bundleFolder}/${location}/*`,
    `Copyright: ${holders.join('\n ') || `authors of ${name}`}`,
    `License: ${license}`,
    ` See ${bundleFolder}/${location}/${source}.`,
  ].join('\n');
}

function licenseFile(folder: string): string | undefined {
  return readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
}

/** Who holds the copyright, from lines such as `Copyright (c) 2016 Some Body`; a template of a license has brackets. */
function holdersIn(license: string): string[] {
  const lines = license.matchAll(/^\W*Copyright\s+(?:\([cC]\)|©)?\s*([^\s[{].*?)\s*$/gm);
  return [...lines].flatMap(([, holder = '']) => (/^(?:notice|License)/i.test(holder) ? [] : [holder]));
}

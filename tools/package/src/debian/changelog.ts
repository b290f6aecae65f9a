import { type DebianFacts, debianVersion } from './control.js';

/**
 * Changelog in Debian's form, with the version that is packaged. What changed is in CHANGELOG.md.
 * @param epoch time of the package, in seconds since 1970
 */
export function debianChangelog({ version, maintainer }: DebianFacts, epoch: number): string {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `hubwatch (${debianVersion(version)}) stable; urgency=medium

  * /usr/share/doc/hubwatch/CHANGELOG.md lists the changes.

 -- ${maintainer}  ${date}
`;
}

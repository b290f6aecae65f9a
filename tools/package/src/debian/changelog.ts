import { type DebianFacts, debianVersion } from './control.js';

/**
 * Changelog in Debian format with a single entry, for the packaged version. The actual changes are in CHANGELOG.md.
 * @param epoch time of the package, in seconds since 1970
 */
export function debianChangelog({ version, maintainer }: DebianFacts, epoch: number): string {
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  return `hubwatch (${debianVersion(version)}) stable; urgency=medium

  * /usr/share/doc/hubwatch/CHANGELOG.md lists the changes.

 -- ${maintainer}  ${date}
`;
}

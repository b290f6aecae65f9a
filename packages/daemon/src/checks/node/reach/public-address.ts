import { BlockList, isIPv4 } from 'node:net';

/** Networks that no public address is in: a node that publishes one would have the daemon look into its own house. */
const notPublic = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(network, bits, 'ipv4');

/** Of IPv6 only 2000::/3 is given out; these parts of it lead elsewhere, some of them to IPv4 in disguise. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const notPublicV6 = new BlockList();
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublicV6.addSubnet(network, bits, 'ipv6');

/** Whether an IP address is one of the public internet. */
export const isPublicAddress = (ip: string): boolean => {
  if (isIPv4(ip)) return !notPublic.check(ip, 'ipv4');
  return globalUnicast.check(ip, 'ipv6') && !notPublicV6.check(ip, 'ipv6');
};

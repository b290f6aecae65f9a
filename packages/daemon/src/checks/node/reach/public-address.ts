import { BlockList, isIPv4 } from 'node:net';

/** Networks without public addresses. A node that publishes such an address would make the daemon probe its own network. */
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

/** In IPv6 only 2000::/3 is allocated. These parts of it are special, and some of them embed IPv4 addresses. */
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

/** Whether an IP address is public. */
export const isPublicAddress = (ip: string): boolean => {
  if (isIPv4(ip)) return !notPublic.check(ip, 'ipv4');
  return globalUnicast.check(ip, 'ipv6') && !notPublicV6.check(ip, 'ipv6');
};

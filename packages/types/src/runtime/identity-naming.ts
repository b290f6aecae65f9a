import type { Naming } from './naming.js';

const same = (name: string): string => name;

/** Naming for a node that uses the neutral names. */
export const identityNaming: Naming = {
  profile: 'identity',
  typeToWire: same,
  typeFromWire: same,
  fileToWire: same,
  fileFromWire: same,
  aminoToWire: same,
  aminoFromWire: same,
  routeToWire: same,
  routeFromWire: same,
  headerToWire: (name) => name.toLowerCase(),
  headerFromWire: (name) => name.toLowerCase(),
  memberToWire: same,
  memberFromWire: same,
  eventToWire: same,
  eventFromWire: same,
  tagToWire: same,
  tagFromWire: same,
};

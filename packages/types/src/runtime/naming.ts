/**
 * Maps neutral names (`hub`, `stack`, `bft`, `stackwasm`) to a network's own and back. Maps whole segments only, and
 * only at the boundary to the network. `identityNaming` is the naming of a node that uses the neutral names.
 */
export interface Naming {
  readonly profile: string;
  /** Package, service, message, type URL or method path, neutral to wire: `/hub.node.v3.Session` → `/….node.v3.Session`. */
  typeToWire(name: string): string;
  typeFromWire(name: string): string;
  /** Path of a proto file: `hub/node/v3/node.proto`. */
  fileToWire(path: string): string;
  fileFromWire(path: string): string;
  /** Name of a type in amino JSON: `stack-sdk/MsgSend`. */
  aminoToWire(name: string): string;
  aminoFromWire(name: string): string;
  /** Route or path of the REST gateway. */
  routeToWire(path: string): string;
  routeFromWire(path: string): string;
  /** Header name, any case. */
  headerToWire(name: string): string;
  headerFromWire(name: string): string;
  /** Member of a JSON response. */
  memberToWire(name: string): string;
  memberFromWire(name: string): string;
  /** Event type (`hub.node.v3.EventUpdate`); types without a dot never change. */
  eventToWire(type: string): string;
  eventFromWire(type: string): string;
  /** Type tag in JSON of the consensus RPC (`bft/PubKeyEd25519`). */
  tagToWire(tag: string): string;
  tagFromWire(tag: string): string;
}

/** Returns the naming on first use; rejects like a call when the node cannot be queried. */
export type NamingSource = () => Promise<Naming>;

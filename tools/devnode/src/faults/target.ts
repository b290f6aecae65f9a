import type { Fault } from './fault.js';

/** Where the node is that a proxy stands for. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Told of each fault when it is committed. */
export type Committed = (fault: Fault) => void;

import type { Fault } from './fault.js';

/** Address of the node behind a proxy. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Called for each fault when it is injected. */
export type Committed = (fault: Fault) => void;

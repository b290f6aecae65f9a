/** Fault injection between a client and a node, for tests and proofs. */
export type { AnswerFault, ByteFault, Fault, FaultPlan, FrameFault, StreamFault } from './fault.js';
export { type FaultProxy, type FaultProxyOptions, startFaultProxy } from './fault-proxy.js';
export { type Chance, type RandomPlanOptions, randomFaults, type Script, scripted } from './plan.js';
export { selfSigned } from './self-signed.js';

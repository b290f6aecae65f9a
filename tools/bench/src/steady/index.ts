/** The daemon on a simulated clock, for benchmarks and proofs. */
export { heldBy } from './held-connection.js';
export { SimulatedClock } from './simulated-clock.js';

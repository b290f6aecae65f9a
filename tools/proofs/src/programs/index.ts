// System programs beside the code under test, and how to read what they answer. For proofs and tests.
export { eventually } from './eventually.js';
export { parseExposition, type Samples, seriesKey } from './exposition.js';
export { findProgram, programHint } from './find-program.js';
export { freePort } from './free-port.js';
export { type Prometheus, type ScrapeJob, startPrometheus } from './prometheus.js';

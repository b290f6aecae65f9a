// System programs used by proofs and tests, with readers for their output.
export { eventually } from './eventually.js';
export { parseExposition, type Samples, seriesKey } from './exposition.js';
export { findProgram, programHint } from './find-program.js';
export { freePort } from './free-port.js';
export { type Prometheus, type ScrapeJob, startPrometheus } from './prometheus.js';

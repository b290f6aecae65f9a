/** The endpoint doctor as a library: collects facts once, derives findings, prints a report. */
export { maxRequests } from './budget.js';
export { diagnose, type DoctorParts } from './diagnose.js';
export type { Diagnosis } from './diagnosis.js';
export type { Finding } from './findings/finding.js';
export { findingsOf } from './findings/index.js';
export { doctorJson } from './report/json.js';
export { colours, noColours, type Paint } from './report/layout.js';
export { doctorReport } from './report/text.js';
export { type Subject, usualAddresses } from './subject.js';

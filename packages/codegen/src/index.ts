export { CodegenError } from './codegen-error.js';
export { compareDescriptors, type DescriptorDifference } from './compare/descriptors.js';
export { generate, type GenerateOptions, type GenerateReport } from './generate.js';
export { compileProtos } from './load/compile-protos.js';
export type { Difference } from './output.js';
export { type Facts, readFacts } from './load/facts.js';
export { readSpec } from './load/spec.js';
export type { AvailabilitySpec, EventHooks, Gap, Spec, TransportKind } from './load/spec-types.js';
export { type Drift, drift, type DriftReport } from './compare/drift.js';

export { type BreakingReport, findBreaking } from './breaking/breaking.js';
export type { Area, InterfaceChange as Change, Level } from './breaking/change.js';
export { CodegenError } from './codegen-error.js';
export { compareDescriptors, type DescriptorDifference } from './compare/descriptors.js';
export { generate, type GenerateOptions } from './generate.js';
export type { GenerateReport } from './generate-report.js';
export { generatePackage, type PackageOptions, type PackageReport } from './public-package.js';
export { interfaceDocs } from './docs/interface-docs.js';
export { printOpenApi, type OpenApiDocument } from './openapi/document.js';
export { openApi, type OpenApiOptions } from './openapi/open-api.js';
export { compileProtos } from './load/compile-protos.js';
export type { Difference } from './output.js';
export { type Facts, readFacts } from './load/facts.js';
export { readSpec } from './load/spec.js';
export type {
  AvailabilitySpec,
  EventHooks,
  ServiceGap as Gap,
  Spec,
  SpecTransport as TransportKind,
} from './load/spec-types.js';
export { drift, type DriftOptions, type DriftReport } from './compare/drift.js';
export type { Drift } from './compare/drifted-line.js';
export { pull, type PullReport } from './pull/pull.js';
export { type PulledFiles, pullFiles as fetchDescriptors, type PullOptions } from './pull/pull-files.js';
export type { FailedService } from './pull/pull-descriptors.js';

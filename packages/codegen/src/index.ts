export { CodegenError } from './codegen-error.js';
export { compareDescriptors, type DescriptorDifference } from './compare/descriptors.js';
export { generate, type GenerateOptions, type GenerateReport } from './generate.js';
export { compileProtos } from './load/compile-protos.js';
export type { Difference } from './output.js';

/** Our packages as a consumer has them: packed, installed outside the workspace, and used. For tests and benchmarks. */
export { type Consumer, installed, makeConsumer, must } from './consumer.js';
export { type Installation, installIsolated } from './isolated-install.js';
export { pack, type Packed, published, type Published, type Tarball, workspace } from './packages.js';
export {
  type Command,
  type CommandOptions,
  type CommandRan,
  packedPrograms,
  type PackedPrograms,
  type RunningCommand,
} from './packed-programs.js';
export { publicPackage, type PublicPackage } from './public-package.js';
export { type Ran, runProgram } from './run-program.js';
export {
  type Compiler,
  compilers,
  type Platform,
  type Resolution,
  resolutions,
  typeCheck,
} from './type-check.js';
export { unitEnvironment } from './unit-options.js';

export { type Architecture, architectures } from './architecture.js';
export { buildPackages, type PackageOptions } from './build-packages.js';
export { nativeFiles } from './bundle/check-machine.js';

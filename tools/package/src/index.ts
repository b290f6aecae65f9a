export { type Architecture, architectures } from './architecture.js';
export { buildPackages, type PackageOptions } from './build-packages.js';
export { nativeFiles } from './bundle/check-machine.js';
export { bashCompletion } from './commands/bash-completion.js';
export { fishCompletion } from './commands/fish-completion.js';
export { type ManPageFacts, manPage } from './commands/man-page.js';
export { zshCompletion } from './commands/zsh-completion.js';
export { launcher } from './tree/launcher.js';

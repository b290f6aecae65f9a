import { setFlagsFromString } from 'node:v8';
import { main } from './cli/main.js';

// The only WebAssembly is the parser of HTTP headers in fetch. Optimizing it takes 8 MB, which the process keeps.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
// Requests that wait for a silent endpoint outlive two collections of new objects and leave holes among those that stay: V8
// compacts such pages with this option, which NODE_OPTIONS does not take.
setFlagsFromString('--optimize-for-size');

// `| head` closes the pipe before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// Whatever a command waits for, the process lives until its exit code is known.
// eslint-disable-next-line no-restricted-globals
const alive = setInterval(() => undefined, 2 ** 30);
const code = await main(process.argv.slice(2));
clearInterval(alive);
process.exit(code);

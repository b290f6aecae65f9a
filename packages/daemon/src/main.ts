import { setFlagsFromString } from 'node:v8';
import { main } from './cli/main.js';

// The only WebAssembly is the HTTP header parser in fetch. Optimizing it takes 8 MB, which the process never releases.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');
// Requests that wait for a silent endpoint survive two collections of new objects and leave holes among long-lived
// objects. V8 compacts such pages with this option, which NODE_OPTIONS does not accept.
setFlagsFromString('--optimize-for-size');

// `| head` closes the pipe before all output is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// Keeps the process alive until its exit code is known, even if a command waits without an active handle.
// eslint-disable-next-line no-restricted-globals
const alive = setInterval(() => undefined, 2 ** 30);
const code = await main(process.argv.slice(2));
clearInterval(alive);
process.exit(code);

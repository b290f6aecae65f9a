import { main } from './cli/main.js';

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

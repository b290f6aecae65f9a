// What the documentation is written from; nothing of it runs a command.
export { commandHelp } from './cli.js';

// What the documentation is written from; nothing of it runs a command.
export { codegenHelp as commandHelp } from './cli.js';

// Input of the documentation; no command is run.
export { codegenHelp as commandHelp } from './cli.js';

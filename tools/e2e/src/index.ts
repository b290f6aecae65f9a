export { findProgram, programHint } from './programs.js';

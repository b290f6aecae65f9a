export { findProgram, programHint } from '@hubwatch/proofs/programs';

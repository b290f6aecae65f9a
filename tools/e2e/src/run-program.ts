export { type Ran, runProgram } from '@hubwatch/bench/consumers';

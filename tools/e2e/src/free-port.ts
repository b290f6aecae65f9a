export { freePort } from '@hubwatch/proofs/programs';

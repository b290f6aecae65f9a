export { eventually } from '@hubwatch/proofs/programs';

export { parseExposition, type Samples, seriesKey } from '@hubwatch/proofs/programs';

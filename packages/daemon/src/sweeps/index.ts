import type { Family } from '../checks/family.js';
import { depositDifference } from './deposit-conservation.js';
import * as list from './list.js';
import type { Sweep } from './sweep.js';

/** Every sweep of `list.ts`. */
export const allSweeps: readonly Sweep[] = Object.values(list);

export const sweepFamilies: readonly Family[] = [...allSweeps.flatMap(({ families }) => families), depositDifference];

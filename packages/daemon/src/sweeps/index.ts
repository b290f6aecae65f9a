import { byName } from '../by-name.js';
import type { Family } from '../checks/family.js';
import { depositDifference } from './deposit-conservation.js';
import * as list from './list.js';
import type { ListSweep } from './sweep.js';

/** All sweeps of `list.ts`, by name. */
export const allSweeps: readonly ListSweep[] = byName(list);

export const sweepFamilies: readonly Family[] = [...allSweeps.flatMap(({ families }) => families), depositDifference];

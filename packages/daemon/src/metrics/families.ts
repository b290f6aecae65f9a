import type { Check } from '../checks/check.js';
import type { Family } from '../checks/family.js';
import { checks } from '../checks/index.js';
import { gauge } from '../checks/family.js';
import { sweepFamilies } from '../sweeps/index.js';
import { readingTime } from '../observations/reading-time.js';
import { transferredBytes } from './transferred-bytes.js';
import { ledgerFamilies } from './ledger-families.js';

const headHeight = gauge('hub_head_height', [], 'Height of the agreed head');
const headTime = gauge('hub_head_timestamp_seconds', [], 'Block time of the agreed head: the current chain time');

/** Families for the facts that endpoints agree on, which no single check provides. */
export const headFamilies = { headHeight, headTime };

/** All chain families, in page order: head, checks, sweeps, ledger. */
export const chainFamilies = (all: readonly Check[] = checks): readonly Family[] => [
  headHeight,
  headTime,
  ...all.flatMap(({ families }) => families),
  ...sweepFamilies,
  ...ledgerFamilies,
  transferredBytes,
  readingTime,
];

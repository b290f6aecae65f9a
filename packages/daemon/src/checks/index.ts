import { byName } from '../by-name.js';
import type { Check } from './check.js';
import * as list from './list.js';

const { endpointStatus, ...others } = list;

/**
 * Every check of `list.ts` by name, which is the order of pages and tables whatever loads the list. Endpoint status stands
 * first: it tells the pool the heads that the others are judged by.
 */
export const checks: readonly Check[] = [endpointStatus, ...byName(others)];

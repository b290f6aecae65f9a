import { byName } from '../by-name.js';
import type { Check } from './check.js';
import * as list from './list.js';

const { endpointStatus, ...others } = list;

/**
 * Every check of `list.ts`, sorted by name, so that pages and tables have a fixed order. Endpoint status is first: it reports
 * to the pool the heads that the other checks use.
 */
export const checks: readonly Check[] = [endpointStatus, ...byName(others)];

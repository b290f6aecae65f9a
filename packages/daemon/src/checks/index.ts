import type { Check } from './check.js';
import * as list from './list.js';

const { endpointStatus, ...others } = list;

/** Every check of `list.ts`. Endpoint status stands first: it tells the pool the heads that the others are judged by. */
export const checks: readonly Check[] = [endpointStatus, ...Object.values(others)];

import { runHarness } from './claims.mjs';

await runHarness('package');

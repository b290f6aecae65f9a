import { mergeConfig } from 'vitest/config';

import { project } from '../../vitest.shared.js';

// Without isolation the test files share one compiled input (test/shared-input.ts).
export default mergeConfig(project(import.meta.dirname), { test: { isolate: false } });

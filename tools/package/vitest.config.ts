import { project } from '../../vitest.shared.js';

export default project(import.meta.dirname, { isolate: true });

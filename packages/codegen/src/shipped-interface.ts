import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { readProject } from './project/find-project.js';
import { configName, type Project } from './project/project.js';

/**
 * The interface of hub v12 as a project: proto files, descriptors and spec in this package, so that nothing has to be
 * cloned or compiled. In the repository, where they are not copied, it is the repository itself.
 */
export function shippedProject(): Project {
  const ownFolder = join(import.meta.dirname, '..');
  const shipped = join(ownFolder, 'hub');
  return readProject(existsSync(join(shipped, configName)) ? shipped : join(ownFolder, '../..'));
}

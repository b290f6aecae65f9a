import { breakingCommand } from './breaking-command.js';
import type { Command } from './command.js';
import { docsCommand } from './docs-command.js';
import { driftCommand } from './drift-command.js';
import { generateCommand } from './generate-command.js';
import { initCommand } from './init-command.js';
import { openapiCommand } from './openapi-command.js';
import { pullCommand } from './pull-command.js';

/** Every command. To add one, create its file and add a line here. */
export const commands: readonly Command[] = [
  initCommand,
  generateCommand,
  pullCommand,
  driftCommand,
  breakingCommand,
  openapiCommand,
  docsCommand,
];

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { CodegenError } from '../codegen-error.js';
import { emitters } from '../emit/index.js';
import { packageSchema } from '../load/package-schema.js';
import { checkYaml, parseYaml } from '../load/yaml-file.js';
import { suggestion } from '../nearest.js';

/** The configuration file as its JSON Schema guarantees it. */
export interface ProjectConfig {
  readonly protos?: string | readonly string[];
  readonly descriptors?: string;
  readonly spec?: string | false;
  readonly output?: string;
  readonly lock?: string | false;
  readonly naming?: string | false;
  readonly runtime?: string;
  readonly emitters?: readonly string[] | 'all';
  readonly api?: readonly string[];
  readonly command?: string;
  readonly title?: string;
}

/**
 * Reads a configuration file.
 *
 * @throws CodegenError with file and line, the fault and the allowed values
 */
export function readProjectConfig(file: string, path: string): ProjectConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CodegenError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const yaml = parseYaml(path, text);
  // A file with only comments selects the defaults.
  if (yaml.value === null || yaml.value === undefined) return {};
  checkYaml(yaml, packageSchema('config'));
  const config = yaml.value as ProjectConfig;
  if (config.protos !== undefined && config.descriptors !== undefined) {
    throw new CodegenError(`${yaml.place(['descriptors'])}: give protos or descriptors, not both`);
  }
  if (Array.isArray(config.emitters)) {
    for (const [index, name] of config.emitters.entries())
      checkEmitter(name as string, yaml.place(['emitters', index]));
  }
  return config;
}

/** @throws CodegenError for a name without an emitter */
export function checkEmitter(name: string, place: string): void {
  const known = emitters.map((emitter) => emitter.name);
  if (known.includes(name)) return;
  throw new CodegenError(
    `${place}: there is no emitter ${name}${suggestion(name, known) || '.'} Emitters are ${known.join(', ')}.`,
  );
}

/** Path of a file for messages: relative to the working folder if that is shorter. */
export function shownPath(file: string, from: string): string {
  const short = relative(from, file);
  return existsSync(file) && short !== '' && !short.startsWith('../../..') ? short : file;
}

import { posix } from 'node:path';

import type { Project } from '../project/project.js';
import type { EmittedFile } from './emitter.js';
import { comment, specifier } from './printer.js';
import { generatedHeader, generatedMark } from './source-file.js';

/**
 * Emitters assume that the runtime is next to the output folder. This function adapts the files to the project: the
 * imports of the runtime, and the header that names the inputs.
 */
export function placeFiles(files: readonly EmittedFile[], project: Project): EmittedFile[] {
  const { madeFrom, runtime } = project;
  const inputs = madeFrom.map((input) => (input === '-' ? 'descriptors' : input)).join(' and ');
  const header = `${generatedMark}from ${comment(inputs)}. Do not edit.`;
  return files.map(({ path, text }) => ({
    path,
    text: text
      .replace(generatedHeader, () => header)
      .replace(/(?<= from )(["'])(?:\.\.\/)+runtime\/([\w/-]+)\.js\1/g, (_, mark: string, name: string) => {
        const module = runtime.startsWith('.') ? relativeRuntime(path, name, project) : `${runtime}/${name}`;
        return mark === '"' ? JSON.stringify(module) : specifier(module);
      }),
  }));
}

function relativeRuntime(path: string, name: string, { output, runtime }: Project): string {
  const from = posix.dirname(posix.join('/', output, path));
  return `${posix.relative(from, posix.join('/', runtime, name))}.js`.replace(/^(?!\.)/, './');
}

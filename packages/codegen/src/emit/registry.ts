import { type Emitter, runtime } from './emitter.js';
import { quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** Table of every message by name. It imports everything, so it is for tests and simulators, not for browsers. */
export const registry: Emitter = {
  name: 'registry',
  emit({ model }) {
    const source = new SourceFile('registry.ts', ['tables', 'messageByName', 'messageNames']);
    const table = source.type('MessageTable', runtime.table);
    const entries = model.files.flatMap((file) =>
      file.messages.map(
        (message) => `  [${quote(message.name)}, ${source.value(message.local, `forms/${file.path}`)}],`,
      ),
    );
    source.line(`const tables = new Map<string, ${table}>([`, ...entries, ']);', '');
    source.line(
      '/** Table of a message by its full neutral name. */',
      `export function messageByName(name: string): ${table} | undefined {`,
      '  return tables.get(name);',
      '}',
      '',
      '/** Full neutral name of every message. */',
      'export const messageNames: readonly string[] = [...tables.keys()];',
      '',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

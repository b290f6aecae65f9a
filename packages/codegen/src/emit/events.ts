import { type Emitter, runtime } from './emitter.js';
import { memberName } from './printer.js';
import { SourceFile } from './source-file.js';

/** Tables of the typed events, by the event type that block results carry. */
export const events: Emitter = {
  name: 'events',
  emit({ model }) {
    const source = new SourceFile('events/typed.ts', ['typedEvents']);
    const table = source.type('MessageTable', runtime.table);
    const entries = model.files.flatMap((file) =>
      file.messages
        .filter(({ isEvent }) => isEvent)
        .map(({ name, local }) => `  ${memberName(name)}: () => ${source.value(local, `forms/${file.path}`)},`),
    );
    if (entries.length === 0) return [];
    source.line(
      '/** Event type, the full name of its message → table of its attributes. */',
      `export const typedEvents: Readonly<Record<string, () => ${table}>> = {`,
      ...entries,
      '};',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

import { type Emitter, runtime } from './emitter.js';
import { memberName } from './printer.js';
import { SourceFile } from './source-file.js';

/** Tables of the typed events, by the event type that block results carry. */
export const events: Emitter = {
  name: 'events',
  emit({ model }) {
    const source = new SourceFile('events/typed.ts', ['typedEvents', 'TypedEvents']);
    const table = source.type('MessageTable', runtime.table);
    const tables = model.files.flatMap((file) =>
      file.messages
        .filter(({ isEvent }) => isEvent)
        .map(({ name, local }) => [memberName(name), source.value(local, `forms/${file.path}`)] as const),
    );
    if (tables.length === 0) return [];
    source.line(
      '/** Event type, the full name of its message → form of its attributes. */',
      'export interface TypedEvents {',
      ...tables.map(([name, local]) => `  readonly ${name}: ${local};`),
      '}',
      '',
      '/** Event type, the full name of its message → table of its attributes. */',
      `export const typedEvents: { readonly [T in keyof TypedEvents]: () => ${table}<TypedEvents[T]> } & Readonly<`,
      `  Record<string, () => ${table}>`,
      '> = {',
      ...tables.map(([name, local]) => `  ${name}: () => ${local},`),
      '};',
    );
    return [{ path: source.path, text: source.render() }];
  },
};

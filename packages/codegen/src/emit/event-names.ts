import { type Emitter, runtime } from './emitter.js';
import { memberName, quote } from './printer.js';
import { SourceFile } from './source-file.js';

/** Tables for translating the names inside events, event queries and logs of transactions. */
export const eventNamesEmitter: Emitter = {
  name: 'event names',
  emit({ model }) {
    const isUsed = model.files.some(({ messages }) =>
      messages.some(
        ({ holdsEvent, fields }) => holdsEvent || fields.some(({ carries }) => carries?.startsWith('event-')),
      ),
    );
    if (!isUsed) return [];
    const source = new SourceFile('events/names.ts', ['namedAttributes', 'events', 'queries', 'logs']);
    const named = source.type('NamedAttributes', runtime.eventNames);
    const carrier = source.type('Carrier', runtime.table);
    const entries = Object.entries(model.namedAttributes).map(
      ([type, attributes]) => `  ${memberName(type)}: [${attributes.map(quote).join(', ')}],`,
    );
    const make = (name: string): string => `/* @__PURE__ */ ${source.value(name, runtime.eventNames)}(namedAttributes)`;
    source.line(
      '/** Attributes whose values hold type URLs, by event type. */',
      `export const namedAttributes: ${named} = {`,
      ...entries,
      '};',
      '',
      '/** Events: the type, and the values of these attributes. */',
      `export const events: ${carrier}<Record<string, unknown>> = ${make('eventNames')};`,
      '',
      '/** Queries of events, whole or single conditions. */',
      `export const queries: ${carrier} = ${make('eventQueries')};`,
      '',
      '/** Logs of transactions, which are JSON of their events. */',
      `export const logs: ${carrier} = ${make('eventLogs')};`,
    );
    return [{ path: source.path, text: source.render() }];
  },
};

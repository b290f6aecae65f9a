import type { Naming } from './naming.js';
import type { Carrier } from './table.js';

/** Attributes whose values are type URLs, by neutral event type. */
export type NamedAttributes = Readonly<Record<string, readonly string[]>>;

type Rename = (name: string) => string;

/** Translation in one direction. `neutral` returns the neutral event type for an incoming type. */
interface Direction {
  readonly type: Rename;
  readonly event: Rename;
  readonly neutral: Rename;
}

const same: Rename = (name) => name;

const toWire = (naming: Naming): Direction => ({
  type: (name) => naming.typeToWire(name),
  event: (name) => naming.eventToWire(name),
  neutral: same,
});

const fromWire = (naming: Naming): Direction => ({
  type: (name) => naming.typeFromWire(name),
  event: (name) => naming.eventFromWire(name),
  neutral: (name) => naming.eventFromWire(name),
});

/** Whether the values of an attribute of an event are type URLs. */
function isNamed(named: NamedAttributes, type: string, key: string): boolean {
  return Object.hasOwn(named, type) && (named[type] as readonly string[]).includes(key);
}

/** Translates an event message: its type, and the values of the attributes that are type URLs. */
export function eventNames(named: NamedAttributes): Carrier<Record<string, unknown>> {
  return {
    toWire: (event, naming) => inEvent(event, named, toWire(naming)),
    fromWire: (event, naming) => inEvent(event, named, fromWire(naming)),
  };
}

function inEvent(
  event: Readonly<Record<string, unknown>>,
  named: NamedAttributes,
  { type, event: rename, neutral }: Direction,
): Record<string, unknown> {
  const { type: given, attributes } = event;
  // A narrowed or partial form may lack either member.
  if (typeof given !== 'string') return event;
  const known = neutral(given);
  if (!Object.hasOwn(named, known) || !Array.isArray(attributes)) return { ...event, type: rename(given) };
  return {
    ...event,
    type: rename(given),
    attributes: (attributes as readonly Readonly<Record<string, unknown>>[]).map((attribute) => {
      const { key, value } = attribute;
      const isText = typeof key === 'string' && typeof value === 'string';
      return isText && isNamed(named, known, key) ? { ...attribute, value: type(value) } : attribute;
    }),
  };
}

/**
 * Translates an event query, or one condition of it: event types in keys, and texts compared with type URL attributes.
 */
export function eventQueries(named: NamedAttributes): Carrier {
  return {
    toWire: (text, naming) => inQuery(text, named, toWire(naming)),
    fromWire: (text, naming) => inQuery(text, named, fromWire(naming)),
  };
}

function inQuery(text: string, named: NamedAttributes, { type, event, neutral }: Direction): string {
  let isValueNamed = false;
  return text.replace(/'[^']*'|[^\s'=<>]+/g, (word) => {
    if (word.startsWith("'")) return isValueNamed ? type(word) : word;
    const dot = word.lastIndexOf('.');
    if (dot === -1) {
      if (word !== 'CONTAINS') isValueNamed = false;
      return word;
    }
    const [eventType, key] = [word.slice(0, dot), word.slice(dot + 1)];
    isValueNamed = isNamed(named, neutral(eventType), key);
    return `${event(eventType)}.${key}`;
  });
}

/** Translates the log of a transaction: JSON of its events if it succeeded; other texts contain no translated names. */
export function eventLogs(named: NamedAttributes): Carrier {
  return {
    toWire: (text, naming) => inLog(text, named, toWire(naming)),
    fromWire: (text, naming) => inLog(text, named, fromWire(naming)),
  };
}

/** Only the names are changed, so that the text keeps the spelling of the node. */
function inLog(text: string, named: NamedAttributes, { type, event, neutral }: Direction): string {
  if (!text.startsWith('[{"')) return text;
  let known = '';
  return text.replace(
    /("type":")((?:[^"\\]|\\.)*)(?=")|("key":"((?:[^"\\]|\\.)*)","value":")((?:[^"\\]|\\.)*)(?=")/g,
    (whole, beforeType?: string, eventType?: string, beforeValue?: string, key?: string, value?: string) => {
      if (eventType !== undefined) {
        known = neutral(eventType);
        return `${beforeType}${event(eventType)}`;
      }
      const isValueNamed = key !== undefined && value !== undefined && isNamed(named, known, key);
      return isValueNamed ? `${beforeValue}${type(value)}` : whole;
    },
  );
}

import type { ScalarKind } from '../model/field.js';
import type { EnumModel, FieldModel, MessageModel, Model, ValueModel } from '../model/model.js';
import { type InterfaceChange, InterfaceChanges, pairs } from './change.js';

/** Compares messages, fields and enums of two versions: changes on the wire, and changes that break code of users. */
export function messageChanges(old: Model, now: Model): InterfaceChange[] {
  const [wire, api] = [new InterfaceChanges('wire'), new InterfaceChanges('api')];
  const messagesOf = (model: Model): MessageModel[] => model.files.flatMap(({ messages }) => messages);
  for (const [name, before, after] of pairs(messagesOf(old), messagesOf(now), (message) => message.name)) {
    if (!after) wire.breaks('message-removed', name, 'the message is gone');
    else if (!before) wire.adds('message-added', name, 'a new message');
    else compareMessage(before, after, wire, api);
  }
  const enumsOf = (model: Model): EnumModel[] => model.files.flatMap(({ enums }) => enums);
  for (const [name, before, after] of pairs(enumsOf(old), enumsOf(now), (type) => type.name)) {
    if (!after) wire.breaks('enum-removed', name, 'the enum is gone');
    else if (!before) wire.adds('enum-added', name, 'a new enum');
    else compareEnum(before, after, wire);
  }
  return [...wire.list, ...api.list];
}

function compareMessage(
  before: MessageModel,
  after: MessageModel,
  wire: InterfaceChanges,
  api: InterfaceChanges,
): void {
  const renumbered = new Set<string>();
  for (const field of before.fields) {
    const same = after.fields.find(({ name }) => name === field.name);
    if (!same || same.no === field.no) continue;
    renumbered.add(field.name);
    wire.breaks('field-renumbered', `${after.name}.${field.name}`, `number ${field.no} is now ${same.no}`);
  }
  const others = (fields: readonly FieldModel[]): FieldModel[] => fields.filter(({ name }) => !renumbered.has(name));
  for (const [no, old, now] of pairs(others(before.fields), others(after.fields), (field) => field.no)) {
    const subject = `${after.name}.${(old ?? now)?.name ?? ''}`;
    if (!now) wire.breaks('field-removed', subject, `field ${no} is gone`);
    else if (!old) wire.adds('field-added', subject, `a new field ${no}`);
    else compareField(subject, old, now, wire, api);
  }
  if (before.isEvent && !after.isEvent) wire.breaks('event-removed', after.name, 'is no typed event any more');
  if (!before.isEvent && after.isEvent) wire.adds('event-added', after.name, 'is a typed event now');
}

function compareField(
  subject: string,
  old: FieldModel,
  now: FieldModel,
  wire: InterfaceChanges,
  api: InterfaceChanges,
): void {
  const [before, after] = [typeText(old), typeText(now)];
  if (before !== after) {
    const isSameOnWire = typeText(onWire(old)) === typeText(onWire(now));
    const what = `${before} is now ${after}`;
    if (isSameOnWire) api.breaks('form-retyped', subject, what);
    else wire.breaks('field-retyped', subject, what);
  }
  if (old.name !== now.name) {
    wire.breaks('field-renamed', subject, `is now called ${now.name}: other JSON, another member of the form`);
  } else if (old.oneof !== now.oneof) {
    const where = (field: FieldModel): string => (field.oneof === undefined ? 'no oneof' : `the oneof ${field.oneof}`);
    wire.breaks('field-moved', subject, `was in ${where(old)} and is in ${where(now)}`);
  }
  if (old.optional !== now.optional && old.oneof === now.oneof) {
    api.breaks(
      'field-presence',
      subject,
      now.optional ? 'may be undefined now' : 'is never undefined now, zero instead',
    );
  } else if (old.always !== now.always) {
    api.breaks('field-presence', subject, now.always ? 'is always on the wire now' : 'may be undefined now');
  }
  const [accepted, accepts] = [acceptedBy(old), acceptedBy(now)];
  for (const name of accepted.filter((each) => !accepts.includes(each))) {
    api.breaks('any-narrowed', subject, `no longer accepts ${name}`);
  }
  for (const name of accepts.filter((each) => !accepted.includes(each))) {
    api.adds('any-widened', subject, `accepts ${name} too`);
  }
}

/** Kinds that differ from a scalar kind only in the decoded form, with the kind on the wire. */
const wireKinds: Readonly<Partial<Record<FieldModel['kind'], ScalarKind>>> = {
  int: 'string',
  dec: 'string',
  decText: 'string',
  decBytes: 'bytes',
  hex: 'bytes',
  rawJson: 'bytes',
};

function onWire(field: FieldModel): FieldModel {
  const kind = wireKinds[field.kind];
  return kind === undefined ? field : { ...field, kind };
}

function acceptedBy(field: FieldModel): readonly string[] {
  return (field.kind === 'any' ? field.any : undefined) ?? [];
}

function typeText(field: FieldModel): string {
  if (field.kind === 'map') return `map<${field.key}, ${valueText(field.value)}>`;
  return field.repeated ? `repeated ${valueText(field)}` : valueText(field);
}

function valueText(shape: ValueModel): string {
  if (shape.kind === 'message') return shape.message;
  return shape.kind === 'enum' ? shape.enum : shape.kind;
}

function compareEnum(before: EnumModel, after: EnumModel, wire: InterfaceChanges): void {
  for (const [name, old, now] of pairs(before.values, after.values, (value) => value.name)) {
    const subject = `${after.name}.${name}`;
    if (!now) {
      const renamed = after.values.find(({ number }) => number === old?.number);
      const what = renamed ? `${old?.number} is now called ${renamed.name}` : `the value ${old?.number} is gone`;
      wire.breaks(renamed ? 'enum-value-renamed' : 'enum-value-removed', subject, what);
    } else if (!old) {
      // A new name for an existing number is reported once, as a renaming of the old name.
      const isRenamed = before.values.some(({ number, name: was }) => number === now.number && !has(after, was));
      if (!isRenamed) wire.adds('enum-value-added', subject, `a new value ${now.number}`);
    } else if (old.number !== now.number) {
      wire.breaks('enum-value-renumbered', subject, `${old.number} is now ${now.number}`);
    } else if (old.text !== now.text) {
      wire.breaks('enum-text', subject, `the gateway's text ${old.text ?? 'none'} is now ${now.text ?? 'none'}`);
    }
  }
}

function has({ values }: EnumModel, name: string): boolean {
  return values.some((value) => value.name === name);
}

/** All texts of the interface that contain names, and their possible content. */
import type { Spec } from '@hubwatch/codegen';
import { messageByName, messageNames } from '@hubwatch/types/gen/registry';
import { type Field, type MessageTable, withTables } from '@hubwatch/types/runtime/table';
import type { RandomSource } from './random-source.js';

interface MarkedField {
  readonly name: string;
  readonly carries: string;
  readonly table: MessageTable;
  readonly field: Field;
}

/** The marked fields of the tables, from the marks in the spec. */
export function markedFields({ names }: Spec): readonly MarkedField[] {
  return Object.entries(names.fields).flatMap(([name, carries]) => {
    const dot = name.lastIndexOf('.');
    const table = messageByName(name.slice(0, dot));
    const field = table?.fields.find((each) => each.name === name.slice(dot + 1));
    return table === undefined || field === undefined ? [] : [{ name, carries, table, field }];
  });
}

/** Names of all fields that are declared to carry names in the tables. */
export function carryingFields(): readonly string[] {
  return messageNames.flatMap((name) =>
    (messageByName(name)?.fields ?? [])
      .filter(({ carries }) => carries !== undefined)
      .map((field) => `${name}.${field.name}`),
  );
}

/** A table without names to map: it reads and writes the wire form. */
export function plainTable(table: MessageTable): MessageTable {
  return {
    name: table.name,
    get fields() {
      return table.fields.map(({ carries: _, ...field }) => withTables(field, plainTable));
    },
  };
}

/** Returns a name in the requested naming. */
export type Named = (neutral: string) => string;

/** Generates a text for a field; the same seed gives the same text in another naming. */
export function textOf(carries: string, random: RandomSource, named: Named): string {
  const type = random.pick(messageNames);
  switch (carries) {
    case 'type-url':
      return random.chance(0.1) ? '*' : named(`/${type}`);
    case 'method-path':
      return random.chance(0.2) ? '/app/simulate' : named(`/${type}/Get`);
    case 'file-name':
      return `${named(type.slice(0, type.lastIndexOf('.') + 1)).replaceAll('.', '/')}querier.proto`;
    case 'member':
      return random.chance(0.5) ? memberIn(named, 'stack_sdk_version') : random.pick(['hub', 'msg_type_url', 'bft']);
    case 'event-query':
      return queryOf(random, named);
    case 'event-log':
      return logOf(random, named);
    case 'amino-json':
      return `{"type":${aminoIn(named, `"stack-sdk/Msg${random.below(9)}"`)},"value":{"msg":"${named(`/${type}`)}","note":"stack.x/y"}}`;
    default:
      return named(type);
  }
}

/** The one member that a network names differently, and amino names: derived from the word for `stack`. */
const memberIn = (named: Named, neutral: string): string => neutral.replace('stack', named('stack.').slice(0, -1));
const aminoIn = memberIn;

/** Texts of other attributes that look like names but are not. */
const innocent: readonly string[] = ['/hub.node.v3.MsgA', 'stack.bank', 'hub.x.Y', 'udvpn'];

function queryOf(random: RandomSource, named: Named): string {
  const url = named(`/${random.pick(messageNames)}`);
  const conditions = [
    `message.action='${url}'`,
    `message.action CONTAINS '${url.slice(0, url.indexOf('.'))}.'`,
    `${named('hub.node.v3.EventUpdateStatus.')}node_address = '"${random.below(99)}"'`,
    `${named('stack.authz.v1beta1.EventGrant.')}msg_type_url='"${url}"'`,
    `${named('hub.lease.v1.EventPay.')}lease_id EXISTS`,
    `transfer.sender='${random.pick(innocent)}'`,
    `tx.height>${random.below(1000)}`,
  ];
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(conditions)).join(' AND ');
}

function logOf(random: RandomSource, named: Named): string {
  if (random.chance(0.2)) return 'failed to execute message; message index: 0: unknown service hub.x.Y';
  return JSON.stringify([{ msg_index: 0, events: [eventOf(random, named), eventOf(random, named)] }]);
}

/** An event with marked and unmarked attributes. */
export function eventOf(
  random: RandomSource,
  named: Named,
): { readonly type: string; readonly attributes: readonly { readonly key: string; readonly value: string }[] } {
  const url = `/${random.pick(messageNames)}`;
  const other = { key: 'note', value: random.pick(innocent) };
  return random.pick([
    { type: 'message', attributes: [{ key: 'action', value: named(url) }, other] },
    { type: 'submit_proposal', attributes: [other, { key: 'proposal_messages', value: named(`,${url},${url}`) }] },
    {
      type: named('stack.authz.v1beta1.EventRevoke'),
      attributes: [{ key: 'msg_type_url', value: JSON.stringify(named(url)) }],
    },
    { type: named('hub.lease.v1.EventPay'), attributes: [other, { key: 'lease_id', value: '"7"' }] },
    // In another event the same key does not contain a name.
    { type: 'transfer', attributes: [{ key: 'action', value: url }] },
  ]);
}

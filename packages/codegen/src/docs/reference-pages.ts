import type { Facts } from '../load/facts.js';
import type { ErrorRow, Spec } from '../load/spec-types.js';
import type { EnumModel, MessageModel, Model } from '../model/model.js';
import { listFacts } from './list-facts.js';
import { code, page, table } from './markdown.js';
import { methodsPage } from './methods-page.js';
import { ownValue } from '../own-value.js';

/** The reference pages of a project: file name → text. `note` describes how they are generated. */
export function referencePages(
  model: Model,
  spec: Spec,
  facts: Partial<Facts>,
  note: string,
): ReadonlyMap<string, string> {
  return new Map([
    ['methods.md', methodsPage(model, listFacts(facts), note)],
    ['enums.md', enumsPage(model, note)],
    ['events.md', eventsPage(model, spec, note)],
    ['messages.md', msgsPage(model, note)],
    ['refusals.md', refusalsPage(spec.errors.rows ?? {}, note)],
  ]);
}

function enumsPage(model: Model, note: string): string {
  const enums = model.files.flatMap((file) => file.enums).sort((a, b) => (a.name < b.name ? -1 : 1));
  return page(
    'Enums',
    `${note} A URL contains the number. The gateway prints the text if there is one, else the name.`,
    enums.map(enumSection),
  );
}

function enumSection({ name, values }: EnumModel): string {
  const rows = values.map((value) => [
    `${value.number}`,
    code(value.name),
    value.text === undefined ? '' : code(value.text),
  ]);
  return `## ${name}\n\n${table(['Number', 'Name', 'Text'], rows)}`;
}

function eventsPage(model: Model, { events }: Spec, note: string): string {
  const typed = model.files.flatMap((file) => file.messages.filter(({ isEvent }) => isEvent));
  const rows = typed
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((message) => {
      const { tx = [], begin_block: begin = [], note: more } = ownValue(events.emitted, message.name) ?? {};
      const causes = [...tx.map(code), ...begin.map((cause) => `begin of a block: ${cause}`)];
      const text = causes.length === 0 ? '' : causes.join('; ');
      return [code(message.name), attributes(message), more === undefined ? text : `${text} (${more})`];
    });
  return page('Typed events', `${note} The value of each attribute is a JSON text.`, [
    table(['Event', 'Attributes', 'Emitted by'], rows),
  ]);
}

function attributes({ fields }: MessageModel): string {
  return fields.map(({ name }) => code(name)).join(', ');
}

function msgsPage(model: Model, note: string): string {
  const sections = model.msgServices.map((service) => {
    const rows = service.msgs.map((msg) => [code(msg.request), code(msg.constant), msg.signers.map(code).join(', ')]);
    const head = ['Message', 'Constant', 'Signed by'];
    return `## ${service.name}\n\n\`gen/msgs/${service.path}\`\n\n${table(head, rows)}`;
  });
  return page(
    'Messages of transactions',
    `${note} If the last column is empty, the proto files do not state the signer.`,
    sections,
  );
}

function refusalsPage(rows: Readonly<Record<string, ErrorRow>>, note: string): string {
  const lines = Object.values(rows).map(({ when, code: known, observed }) => [
    when,
    code(known),
    observedText(observed),
  ]);
  return page(
    'Refusals',
    `${note} Refusals by a node, and the error code that every transport of the client reports.`,
    [table(['When', 'Code', 'Seen'], lines)],
  );
}

function observedText(observed: Readonly<Record<string, unknown>>): string {
  return Object.entries(observed)
    .filter(([name]) => name !== 'source')
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join('; ')
    .replaceAll('<', '&lt;');
}

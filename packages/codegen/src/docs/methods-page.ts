import { type SpecTransport, transportKinds } from '../load/spec-types.js';
import type { MethodModel, Model, ServiceModel } from '../model/model.js';
import type { ListFacts } from './list-facts.js';
import { code, page, table } from './markdown.js';

const titles: Readonly<Record<SpecTransport, string>> = { grpc: 'gRPC', rest: 'REST', abci: '`abci_query`' };

/** Every method: where it is served, the reason if it is not, its route, and the paging of its list. */
export function methodsPage(model: Model, lists: ListFacts, note: string): string {
  const methods = model.services.flatMap((service) => service.methods);
  const counts = transportKinds.map((kind) => {
    const served = methods.filter(({ availability }) => availability[kind].served).length;
    return `${titles[kind]} ${served}`;
  });
  const paging =
    lists.defaultPage === undefined
      ? ''
      : ` A list returns ${lists.defaultPage} records per page if the request sets no limit.`;
  return page(
    'Methods',
    `${note} ${model.services.length} services, ${methods.length} methods; served over ${counts.join(', ')}.${paging}`,
    model.services.map((service) => section(service, lists)),
  );
}

function section(service: ServiceModel, lists: ListFacts): string {
  const rows = service.methods.map((method) => [
    code(method.name),
    ...transportKinds.map((kind) => cell(method, kind)),
    lists.items.has(nameOf(method)) ? code(lists.items.get(nameOf(method)) ?? '') : '',
  ]);
  const remarks = service.methods.flatMap((method) => {
    const sentences = transportKinds.flatMap((kind) => {
      const availability = method.availability[kind];
      return availability.served ? [] : [availability.sentence];
    });
    return [...new Set([...sentences, ...noteOf(method, lists)])].map((text) => `- ${text}`);
  });
  const head = ['Method', ...transportKinds.map((kind) => titles[kind]), 'List'];
  return [
    `## ${service.name}`,
    `\`gen/methods/${service.path}\``,
    table(head, rows),
    ...(remarks.length > 0 ? [remarks.join('\n')] : []),
  ].join('\n\n');
}

function noteOf(method: MethodModel, lists: ListFacts): string[] {
  const note = lists.notes.get(nameOf(method));
  return note === undefined ? [] : [`${code(method.name)}: ${note}`];
}

function nameOf({ service, name }: MethodModel): string {
  return `${service}/${name}`;
}

function cell({ availability, rest, stream }: MethodModel, kind: SpecTransport): string {
  const there = availability[kind];
  if (!there.served) return there.kind.replaceAll('_', ' ');
  if (kind === 'rest' && rest) return code(`${rest.verb} ${rest.path}`);
  return stream ? 'stream' : 'yes';
}

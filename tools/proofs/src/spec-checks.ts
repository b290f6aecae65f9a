import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import { typedEvents } from '@hubwatch/types/gen/events/typed';
import { messageByName, messageNames } from '@hubwatch/types/gen/registry';
import { repositoryRoot } from './availability-types.js';
import type { Source } from './document-checks.js';

/** A claim about the whole spec; problems are subjects that it omits, and entries that refer to nothing. */
export type SpecCheck = (source: Source) => { readonly total: number; readonly problems: readonly string[] };

type Tree = Readonly<Record<string, unknown>>;

const pageRequest = 'stack.base.query.v1beta1.PageRequest';

/** Checks that the spec is complete beyond the tables of the document. */
export const specChecks: Readonly<Record<string, SpecCheck>> = {
  'paged methods with the member that holds their records': ({ facts }) => {
    const methods = facts.lists['methods'] as Record<string, Record<string, { items: string }>>;
    const listed = Object.entries(methods).flatMap(([service, of]) =>
      Object.keys(of).map((name) => `${service}/${name}`),
    );
    const paged = allMethods.filter(({ request }) =>
      request.fields.some((field) => field.kind === 'message' && field.message().name === pageRequest),
    );
    const problems = paged.flatMap(({ service, name, response }) => {
      const items = methods[service]?.[name]?.items;
      const field = response.fields.find((each) => each.name === items);
      return field?.repeated ? [] : [`${service}/${name}: ${items ?? 'no member'} is no list of ${response.name}`];
    });
    const known = new Set(paged.map(({ service, name }) => `${service}/${name}`));
    return { total: paged.length, problems: [...problems, ...unknown(listed, known)] };
  },
  'exceptions of lists that are paged methods': ({ facts }) => {
    const names = ['defects', 'own_paging', 'status_filters'].flatMap((part) => Object.keys(facts.lists[part] as Tree));
    return {
      total: names.length,
      problems: unknown(names, new Set(allMethods.map(({ service, name }) => `${service}/${name}`))),
    };
  },
  'status filters that the request has': ({ facts }) => {
    const names = Object.keys(facts.lists['status_filters'] as Tree);
    const filtered = allMethods.filter(
      ({ service, request }) => service.startsWith('hub.') && request.fields.some(({ name }) => name === 'status'),
    );
    // Routes of subscription.v2 are not implemented.
    const wanted = filtered
      .map(({ service, name }) => `${service}/${name}`)
      .filter((name) => !name.startsWith('hub.subscription.v2.'));
    return { total: names.length, problems: [...unknown(names, new Set(wanted)), ...unknown(wanted, new Set(names))] };
  },
  'events of hub with the hook that emits them': ({ spec }) => {
    const { emitted = {}, never_emitted_by_v12: never = [] } = spec.events as unknown as {
      emitted?: Record<string, { tx?: string[] }>;
      never_emitted_by_v12?: string[];
    };
    const events = Object.keys(typedEvents).filter((name) => name.startsWith('hub.'));
    const wanted = events.filter((name) => !never.includes(name.slice(0, name.lastIndexOf('.'))));
    const messages = Object.values(emitted).flatMap(({ tx = [] }) => tx);
    return {
      total: wanted.length,
      problems: [
        ...unknown(wanted, new Set(Object.keys(emitted))),
        ...unknown(Object.keys(emitted), new Set(wanted)),
        ...unknown(messages, new Set(messageNames)),
      ],
    };
  },
  'error rows with a known code': ({ spec }) => {
    const { rows = {} } = spec.errors;
    const problems = Object.entries(rows).flatMap(([name, { code }]) =>
      Object.hasOwn(spec.errors.codes, code) ? [] : [`${name}: code ${code}`],
    );
    return { total: Object.keys(rows).length, problems };
  },
  'parameters of the consensus RPC with an encoding': ({ spec }) => {
    const { encodings = {} } = spec.rpc;
    const params = Object.entries(spec.rpc.methods).flatMap(([method, { params: of }]) =>
      of.map((param) => ({ method, ...param })),
    );
    const problems = params.flatMap(({ method, name, type }) =>
      Object.hasOwn(encodings, type) ? [] : [`${method}.${name}: ${type}`],
    );
    return { total: params.length, problems };
  },
  'methods of hub in the tables or not implemented': ({ spec, facts }) => {
    const tables = facts.document['tables'] as { kind: string; rows: { service: string; method: string }[] }[];
    const shown = new Set(
      tables
        .filter(({ kind }) => kind === 'method')
        .flatMap(({ rows }) => rows.map(({ service, method }) => `${service}/${method}`)),
    );
    const methods = Object.entries(spec.availability.services).flatMap(([service, of]) =>
      service.startsWith('hub.')
        ? Object.entries(of).map(([name, { grpc }]) => ({ name: `${service}/${name}`, grpc }))
        : [],
    );
    const problems = methods.flatMap(({ name, grpc }) =>
      shown.has(name) || grpc !== 'served' ? [] : [`${name} is served and in no table`],
    );
    return { total: methods.length, problems };
  },
  'services and versions named as often as the tables name them': ({ spec, facts }) => {
    const tables = facts.document['tables'] as { kind: string; rows: unknown[] }[];
    const count = (kind: string): number =>
      tables.filter((table) => table.kind === kind).reduce((sum, { rows }) => sum + rows.length, 0);
    const services = Object.keys(spec.availability.services);
    const hub = services.filter((name) => name.startsWith('hub.'));
    const problems = [
      ...(count('service') === services.length
        ? []
        : [`${services.length} services, ${count('service')} in the document`]),
      ...(count('service_version') === hub.length
        ? []
        : [`${hub.length} services of hub, ${count('service_version')} in the document`]),
    ];
    return { total: 2, problems };
  },
  'routes that are not mounted, with the path that the protos declare': ({ spec: { availability } }) => {
    const { services, unserved, unmounted_routes: routes = {} } = availability;
    const declared = declaredRoutes();
    const wanted = Object.entries(services).flatMap(([service, of]) =>
      Object.entries(of).flatMap(([name, { rest }]) =>
        unserved[rest ?? '']?.kind === 'not_mounted' ? [`${service}/${name}`] : [],
      ),
    );
    return {
      total: wanted.length,
      problems: [
        ...unknown(wanted, new Set(Object.keys(routes))),
        ...unknown(Object.keys(routes), new Set(wanted)),
        ...Object.values(routes)
          .filter((route) => !declared.has(route))
          .map((route) => `${route} is declared in no proto file`),
      ],
    };
  },
  'classes of what is not served, as large as the node shows': ({ spec: { availability } }) => {
    const { services, unserved, legacy_routes: legacy, unmounted_routes: routes = {} } = availability;
    const methods = Object.values(services).flatMap((of) => Object.values(of));
    const count = (kind: string): number =>
      methods.filter((lines) => Object.values(lines).some((line) => unserved[line]?.kind === kind)).length;
    const sizes: Readonly<Record<string, readonly [number, number]>> = {
      'rules not mounted': [12, Object.keys(routes).length],
      'legacy rules mounted': [
        35,
        Object.values(legacy).reduce((sum, { mounted, routes: of }) => sum + (mounted ? of.length : 0), 0),
      ],
      'methods not implemented': [11, count('unimplemented')],
      'methods shadowed': [1, count('shadowed')],
    };
    const problems = Object.entries(sizes).flatMap(([what, [node, found]]) =>
      node === found ? [] : [`${found} ${what}, the node shows ${node}`],
    );
    return { total: Object.keys(sizes).length, problems };
  },
  'messages of page facts that exist': ({ facts }) => {
    const names = ['request', 'response'].map((part) => (facts.lists[part] as { message: string }).message);
    return { total: names.length, problems: names.filter((name) => messageByName(name) === undefined) };
  },
};

function unknown(names: readonly string[], known: ReadonlySet<string>): string[] {
  return names.filter((name) => !known.has(name)).map((name) => `${name} is not known on the other side`);
}

/** Routes declared in the options of the proto files. */
function declaredRoutes(): ReadonlySet<string> {
  const folder = join(repositoryRoot, 'proto');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.proto'));
  const texts = files.map((path) => readFileSync(join(folder, path), 'utf8'));
  return new Set(texts.flatMap((text) => [...text.matchAll(/\bget: "([^"]+)"/g)].map(([, route]) => route as string)));
}

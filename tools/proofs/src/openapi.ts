import { publicNaming } from '@hubwatch/client';
import { openApi, type OpenApiDocument } from '@hubwatch/codegen';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { Counts } from './counts.js';
import { knownMethods } from './known-methods.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { headerOf, readGroups, type ReadRow } from './recordings.js';
import { repositoryRoot } from './availability-types.js';

/** The OpenAPI document describes the requests and responses observed on a node. */
export const openapi: Proof = {
  name: 'openapi',
  about: 'Every recorded REST request and answer fits the OpenAPI document under the names of its network.',
  run: async (options) => proveDocument(options, await openApi({ root: repositoryRoot, profile: 'public' })),
};

/** The proof with a custom document. */
export function proveDocument({ reads, log }: ProofOptions, document: OpenApiDocument): ProofOutcome {
  const checker = new DocumentChecker(document);
  const counts = new Counts();
  const faults: string[] = [];
  let total = 0;
  const check = (claim: string, group: string, fault: string | undefined): void => {
    total++;
    counts.add(claim, fault === undefined);
    if (fault !== undefined) faults.push(`${claim}, ${group}: ${fault}`);
  };
  for (const [group, { rest }] of readGroups(reads)) {
    if (rest === undefined) continue;
    const operation = checker.operationOf(rest);
    if (operation === undefined) {
      const served = knownMethods.get(rest.neutral_method)?.availability.rest.served;
      check('routes that are left out are not served', group, served ? `no path fits ${rest.sent.target}` : undefined);
      continue;
    }
    if (rest.got.status === 200) {
      check('parameters are declared', group, operation.parameterFault(rest));
      check('answers fit their schema', group, operation.answerFault(rest));
      check('answered heights stand in the declared header', group, operation.heightFault(rest));
    } else {
      check('refusals fit the schema of errors', group, checker.errorFault(rest));
    }
  }
  for (const fault of faults.slice(0, 20)) log(fault);
  return { passed: total - faults.length, total, counterExample: faults[0], figures: counts.figures() };
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: { readonly type?: string; readonly items?: object };
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly responses: Readonly<
    Record<string, { readonly headers?: object; readonly content?: { 'application/json': { schema: object } } }>
  >;
}

/** One operation of the document that recorded exchanges are checked against. */
interface CheckedOperation {
  parameterFault(row: ReadRow): string | undefined;
  answerFault(row: ReadRow): string | undefined;
  heightFault(row: ReadRow): string | undefined;
}

class DocumentChecker {
  readonly #document: OpenApiDocument;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<object, ValidateFunction>();
  readonly #paths: readonly { readonly pattern: RegExp; readonly template: string }[];

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#ajv.addSchema({ $id: 'document', ...document });
    const templates = Object.keys(document.paths);
    // A literal segment takes precedence over a parameter.
    const order = (template: string): string => template.replace(/\{[^}]*\}/g, '~');
    this.#paths = templates
      .sort((a, b) => (order(a) < order(b) ? -1 : 1))
      .map((template) => ({ template, pattern: patternOf(template) }));
  }

  operationOf({ sent, neutral_method: method }: ReadRow): CheckedOperation | undefined {
    const [path = ''] = (sent.target ?? '').split('?');
    const name = publicNaming.typeToWire(method).replace('/', '.');
    for (const { template, pattern } of this.#paths) {
      if (!pattern.test(path)) continue;
      const found = this.#document.paths[template]?.[(sent.method ?? 'GET').toLowerCase()] as Operation | undefined;
      if (found?.operationId === name) return this.#checked(found);
    }
    return undefined;
  }

  errorFault(row: ReadRow): string | undefined {
    return this.#fault({ $ref: 'document#/components/schemas/gateway.Error' }, parsed(row));
  }

  #checked(operation: Operation): CheckedOperation {
    const parameters = operation.parameters.filter((each): each is Parameter => 'name' in each);
    const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
    const { headers = {}, content } = operation.responses['200'] ?? {};
    const schema = content?.['application/json'].schema;
    return {
      parameterFault: ({ sent }) => {
        const query = new URL(sent.target ?? '', 'http://node').searchParams;
        for (const [name, text] of query) {
          const parameter = byName.get(name);
          if (parameter?.in !== 'query') return `the query parameter ${name} is not declared`;
          const { items = parameter.schema } = parameter.schema;
          const fault = this.#fault(items, valueOf(items, text));
          if (fault !== undefined) return `${name}=${text}: ${fault}`;
        }
        return undefined;
      },
      answerFault: (row) => (schema === undefined ? 'no schema' : this.#fault(schema, parsed(row))),
      heightFault: ({ got }) => {
        const names = Object.keys(headers);
        const answered = got.headers?.find(([name]) => /block-height$/i.test(name))?.[0].toLowerCase();
        return answered === undefined || names.includes(answered)
          ? undefined
          : `${answered} is none of ${names.join()}`;
      },
    };
  }

  #fault(schema: object, value: unknown): string | undefined {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile(absolute(schema) as object);
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || '/'} ${first?.message ?? ''} ${JSON.stringify(first?.params)}`;
  }
}

/** Makes references resolvable from outside the document. */
function absolute(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
}

function patternOf(template: string): RegExp {
  const text = template.replace(/[.]/g, '\\.').replace(/\{[^}]*\}/g, '.+');
  return new RegExp(`^${text}$`);
}

function valueOf(schema: { readonly type?: unknown }, text: string): unknown {
  if (schema.type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  return schema.type === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text;
}

function parsed(row: ReadRow): unknown {
  const text = headerOf(row.got.headers, 'content-type')?.includes('json') ? row.got.body : undefined;
  return JSON.parse(text ?? 'null');
}

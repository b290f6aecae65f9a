import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, createFileRegistry, type DescExtension, fromBinary, setExtension } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  OneofDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import { repositoryRoot } from './availability-types.js';
import type { RandomSource } from './random-source.js';

/** A descriptor set that no compiler produced, and the required reaction of a reader. */
export interface HostileSet {
  readonly files: readonly FileDescriptorProto[];
  /** The error in the set; absent if the set is valid, however unusual its names. */
  readonly fault?: Fault;
}

interface Fault {
  readonly what: string;
  /** Both places of a contradiction: the error must name each of them. */
  readonly names: readonly string[];
  /** The content of the proto files alone is valid. */
  readonly mayBePulled?: true;
}

type FieldInit = DescriptorProto['field'][number];

/** Code whose execution would be detected. */
const payload = 'globalThis.PWNED=1';

const hostileTexts: readonly string[] = [
  `a.js';${payload};'`,
  `a";${payload};"`,
  `a\`+(${payload})+\``,
  `*/${payload}/*`,
  `\n${payload}\n`,
  `\r\n${payload};//`,
  `\u2028${payload}\u2029`,
  `\${${payload}}`,
  `\\';${payload};//`,
  `</script><script>${payload}</script>`,
  `a\u0000b`,
  `a\u202eb`,
  'a b',
  'a-b',
  '1a',
  'ä',
  '',
  '{',
  'x".proto"; import "y',
];

const hostilePaths: readonly string[] = [
  '../../x.proto',
  '../.bashrc',
  'package.json',
  '/tmp/hubwatch-pwned.proto',
  'a/../../../b.proto',
  '..\\..\\x.proto',
  'C:\\x.proto',
  '.git/hooks/x.proto',
  'a/./b.proto',
  'a//b.proto',
  '%2e%2e/%2e%2e/x.proto',
  'a#b.proto',
  'a?b.proto',
  '.proto',
  `${'x'.repeat(300)}.proto`,
  `a.js';${payload};'.proto`,
  `a";${payload};".proto`,
  'a\u0000.proto',
  'a\n.proto',
  'a\u202e.proto',
];

/** Valid identifiers that have a special meaning in code. */
const oddNames: readonly string[] = [
  ...'constructor toString __proto__ hasOwnProperty valueOf prototype then toJSON isPrototypeOf __defineGetter__'.split(
    ' ',
  ),
  ...'delete class function default import export await yield let static enum null true this super arguments eval new'.split(
    ' ',
  ),
  ...'Uint8Array BigInt Map Set Object Array String Number Promise Record Readonly Partial Error Date Symbol Function'.split(
    ' ',
  ),
  ...'MessageTable defineTable table Served Method BinaryReader MessageFns DeepPartial Long createBaseMap Any Timestamp'.split(
    ' ',
  ),
  ...'_ __ ___ _1 _1a a_ A_b AB ab a_b string number any undefined NaN globalThis process require module exports'.split(
    ' ',
  ),
  'A'.repeat(150),
];

const jsonNames: readonly string[] = [
  `'];${payload};//`,
  `*/${payload}`,
  '"',
  '\\',
  'a\u0001b',
  '\u2028',
  '__proto__',
  'ünï',
];

let httpRule: DescExtension | undefined;
let httpFiles: readonly FileDescriptorProto[] = [];

/** The HTTP rule option, from the descriptors in the repository. */
function http(): DescExtension {
  if (httpRule !== undefined) return httpRule;
  const fixture = join(repositoryRoot, 'packages/codegen/fixtures/hub-v12.descriptors.binpb');
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(fixture));
  const wanted = ['google/protobuf/descriptor.proto', 'google/api/http.proto', 'google/api/annotations.proto'];
  httpFiles = wanted.flatMap((path) => file.filter(({ name }) => name === path));
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...httpFiles] }));
  httpRule = registry.getExtension('google.api.http');
  if (httpRule === undefined) throw new Error('the fixture has no google.api.http');
  return httpRule;
}

/** Creates the set for a seed. */
export function hostileSet(random: RandomSource): HostileSet {
  const world = new World(random);
  const files = world.files();
  if (random.chance(0.4)) return { files };
  const fault = random.pick(random.chance(0.6) ? hostileNames : contradictions)(files, random);
  return { files, fault };
}

/** Names already in use, compared as in the proto language. */
class Scope {
  readonly #random: RandomSource;
  readonly #taken = new Set<string>();

  constructor(random: RandomSource) {
    this.#random = random;
  }

  name(prefix = ''): string {
    for (;;) {
      const odd = this.#random.chance(0.7);
      const name = odd ? this.#random.pick(oddNames) : `${prefix}n${this.#random.below(10_000)}`;
      // Compilers reject names whose JSON names are equal, ignoring case.
      const key = name.replace(/_/g, '').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return name;
    }
  }
}

class World {
  readonly #random: RandomSource;
  /** Full names of messages, with a leading dot. */
  readonly #messages: string[] = [];
  #routes = 0;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  files(): FileDescriptorProto[] {
    const random = this.#random;
    const rule = http();
    const made: FileDescriptorProto[] = [];
    const folder = random.pick(['', 'a/', 'constructor/v1/', 'some words/', 'ünï/']);
    const count = 1 + random.below(3);
    for (let index = 0; index < count; index++) {
      const name = `${folder}${random.pick(['f', '__proto__', 'index', 'all', 'toString', 'a b', 'x.y'])}${index}.proto`;
      const packageName = `p${index}${random.pick(['', '.v1', '.constructor', '.__proto__.v1', '.delete'])}`;
      made.push(
        this.#file(
          name,
          packageName,
          made.map((file) => file.name),
          rule,
        ),
      );
    }
    return [...httpFiles, ...made];
  }

  #file(name: string, packageName: string, imports: readonly string[], rule: DescExtension): FileDescriptorProto {
    const random = this.#random;
    const scope = new Scope(random);
    const messageType = Array.from({ length: 1 + random.below(4) }, () =>
      this.#message(scope.name('M'), `.${packageName}`, 0),
    );
    const enumType = Array.from({ length: random.below(3) }, () => this.#enum(scope, scope.name('E')));
    const comment = random.pick(hostileTexts);
    return create(FileDescriptorProtoSchema, {
      name,
      package: packageName,
      syntax: 'proto3',
      dependency: ['google/api/annotations.proto', ...imports],
      messageType,
      enumType,
      service: random.chance(0.7) ? [this.#service(scope.name('S'), rule)] : [],
      sourceCodeInfo: {
        location: [{ path: [4, 0], span: [1, 1, 1], leadingComments: comment, trailingComments: `*/${payload}` }],
      },
    });
  }

  #message(name: string, outer: string, depth: number): DescriptorProto {
    const random = this.#random;
    const full = `${outer}.${name}`;
    const scope = new Scope(random);
    const nested = depth < 2 && random.chance(0.3) ? [this.#message(scope.name('M'), full, depth + 1)] : [];
    this.#messages.push(full);
    const oneof = random.chance(0.3) ? [{ name: scope.name('o') }] : [];
    const count = random.below(6);
    const field = Array.from({ length: count }, (_, index) =>
      this.#field(scope.name(), index + 1, oneof.length > 0 && index < 2),
    );
    const isOneofUsed = field.some((each) => each.oneofIndex === 0 && count > 0) && oneof.length > 0 && count > 0;
    return { name, nestedType: nested, field, oneofDecl: isOneofUsed ? oneof : [] } as unknown as DescriptorProto;
  }

  #field(name: string, number: number, inOneof: boolean): FieldInit {
    const random = this.#random;
    const isMessage = this.#messages.length > 0 && random.chance(0.3);
    const repeated = !inOneof && random.chance(0.25);
    return {
      name,
      number,
      // string, bytes, int64, uint64, bool, double, sint32
      type: isMessage ? 11 : random.pick([9, 12, 3, 4, 8, 1, 17]),
      label: repeated ? 3 : 1,
      ...(isMessage && { typeName: random.pick(this.#messages) }),
      ...(inOneof && { oneofIndex: 0 }),
      ...(random.chance(0.15) && { jsonName: `${random.pick(jsonNames)}${number}` }),
    } as unknown as FieldInit;
  }

  #enum(outer: Scope, name: string): never {
    const value = Array.from({ length: 1 + this.#random.below(4) }, (_, number) => ({ name: outer.name('V'), number }));
    return { name, value } as never;
  }

  #service(name: string, rule: DescExtension): never {
    const random = this.#random;
    const scope = new Scope(random);
    const method = Array.from({ length: 1 + random.below(3) }, () => {
      const options = create(MethodOptionsSchema);
      if (random.chance(0.6)) {
        const path = `/r${this.#routes++}/${random.pick(["it's", 'a/b', '(x)', '$&', '__proto__', "';"])}`;
        setExtension(
          options,
          rule,
          create(rule.message as never, { pattern: { case: 'get', value: path } } as never) as never,
        );
      }
      return {
        name: scope.name('R'),
        inputType: random.pick(this.#messages),
        outputType: random.pick(this.#messages),
        options,
      };
    });
    return { name, method } as never;
  }
}

type Injury = (files: FileDescriptorProto[], random: RandomSource) => Fault;

const own = (files: readonly FileDescriptorProto[]): FileDescriptorProto => {
  const last = files.at(-1);
  if (last === undefined) throw new Error('a set has a file');
  return last;
};

/** Texts that are not identifiers. */
const noIdentifiers = hostileTexts;

function injured(what: string, injure: (file: FileDescriptorProto, text: string) => void): Injury {
  return (files, random) => {
    const text = random.pick(noIdentifiers);
    injure(own(files), text);
    return { what: `${what} ${JSON.stringify(text)}`, names: [] };
  };
}

const hostileNames: readonly Injury[] = [
  (files, random) => {
    const path = random.pick(hostilePaths);
    own(files).name = path;
    return { what: `file ${JSON.stringify(path)}`, names: [] };
  },
  (files, random) => {
    const path = random.pick(hostilePaths);
    own(files).name = path;
    return { what: `file ${JSON.stringify(path)}`, names: [] };
  },
  injured('package', (file, text) => void (file.package = `p.${text}`)),
  injured('message', (file, text) => void ((file.messageType[0] as DescriptorProto).name = text)),
  injured(
    'field',
    (file, text) =>
      void (file.messageType[0] as DescriptorProto).field.push(
        create(FieldDescriptorProtoSchema, { name: text, number: 90, type: 9, label: 1 }),
      ),
  ),
  injured(
    'oneof',
    (file, text) =>
      void (file.messageType[0] as DescriptorProto).oneofDecl.push(create(OneofDescriptorProtoSchema, { name: text })),
  ),
  injured(
    'enum',
    (file, text) =>
      void file.enumType.push(
        create(EnumDescriptorProtoSchema, { name: text, value: [{ name: 'V_ZERO', number: 0 }] }),
      ),
  ),
  injured(
    'enum value',
    (file, text) =>
      void file.enumType.push(
        create(EnumDescriptorProtoSchema, { name: 'Injured', value: [{ name: text, number: 0 }] }),
      ),
  ),
  injured(
    'service',
    (file, text) => void file.service.push(create(ServiceDescriptorProtoSchema, { name: text, method: [] })),
  ),
  injured(
    'method',
    (file, text) =>
      void file.service.push(
        create(ServiceDescriptorProtoSchema, {
          name: 'Injured',
          method: [{ name: text, inputType: '.a', outputType: '.a' }],
        }),
      ),
  ),
  injured(
    'type',
    (file, text) =>
      void (file.messageType[0] as DescriptorProto).field.push(
        create(FieldDescriptorProtoSchema, {
          name: 'injured',
          number: 91,
          type: 11,
          label: 1,
          typeName: `.${text}`,
        }),
      ),
  ),
  injured('reserved name', (file, text) => void (file.messageType[0] as DescriptorProto).reservedName.push(text)),
  injured(
    'default',
    (file, text) =>
      void (file.messageType[0] as DescriptorProto).field.push(
        create(FieldDescriptorProtoSchema, {
          name: 'injured',
          number: 92,
          type: 5,
          label: 1,
          defaultValue: `0 ${text}`,
        }),
      ),
  ),
];

/** Sets with two contradictory declarations of the same thing. */
const contradictions: readonly Injury[] = [
  (files) => {
    const file = own(files);
    files.push(create(FileDescriptorProtoSchema, { name: file.name, package: 'other', syntax: 'proto3' }));
    return { what: 'one path twice', names: [file.name] };
  },
  (files) => {
    const file = own(files);
    const [message] = file.messageType;
    const again = create(FileDescriptorProtoSchema, {
      name: 'again.proto',
      package: file.package,
      syntax: 'proto3',
      messageType: [{ name: message?.name ?? '' }],
    });
    files.push(again);
    return { what: 'one symbol in two files', names: [file.name, 'again.proto'] };
  },
  (files) => {
    const file = own(files);
    const message = {
      name: 'Numbers',
      field: [
        { name: 'one', number: 1, type: 9, label: 1 },
        { name: 'two', number: 1, type: 9, label: 1 },
      ],
    };
    file.messageType.push(create(DescriptorProtoSchema, message));
    return { what: 'one number twice', names: ['Numbers.one', 'Numbers.two'] };
  },
  (files) => {
    const file = own(files);
    const rule = http();
    const route = (value: string) => {
      const options = create(MethodOptionsSchema);
      setExtension(options, rule, create(rule.message as never, { pattern: { case: 'get', value } } as never) as never);
      return options;
    };
    file.messageType.push(
      create(DescriptorProtoSchema, {
        name: 'Routed',
        field: [
          { name: 'id', number: 1, type: 9, label: 1 },
          { name: 'no', number: 2, type: 9, label: 1 },
        ],
      }),
    );
    const type = `.${file.package}.Routed`;
    const method = [
      { name: 'RouteOne', inputType: type, outputType: type, options: route('/same/{id}') },
      { name: 'RouteTwo', inputType: type, outputType: type, options: route('/same/{no}') },
    ];
    file.service.push(create(ServiceDescriptorProtoSchema, { name: 'Routes', method }));
    return { what: 'one route twice', names: ['RouteOne', 'RouteTwo'], mayBePulled: true };
  },
  (files) => {
    const file = own(files);
    files.push(
      create(FileDescriptorProtoSchema, {
        name: file.name.toUpperCase().replace(/PROTO$/, 'proto'),
        package: 'upper',
        syntax: 'proto3',
      }),
    );
    return { what: 'one path in two cases', names: [] };
  },
  (files) => {
    own(files).dependency.push('not/there.proto');
    return { what: 'an import that is not there', names: ['not/there.proto'], mayBePulled: true };
  },
];

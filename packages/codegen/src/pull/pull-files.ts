import { dirname } from 'node:path/posix';

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

import { CodegenError } from '../codegen-error.js';
import { shown } from '../load/check-path.js';
import type { NamingSpec } from '../load/spec-types.js';
import { renamer } from '../naming/rename.js';
import { UnreachableError } from '../unreachable-error.js';
import { GrpcSession, GrpcStatusError } from './grpc-session.js';
import { ReflectionClient } from './reflection-client.js';

export interface PullOptions {
  readonly naming?: NamingSpec | undefined;
  /** Neutral names of messages to request in addition to those that reflection lists. */
  readonly symbols?: Iterable<string>;
  /** Neutral paths of files to request in addition. */
  readonly paths?: Iterable<string>;
  /** Neutral packages whose usual files are requested in addition; the same applies to every package that was found. */
  readonly packages?: Iterable<string>;
  /** Read only the files of the listed services. */
  readonly listedOnly?: boolean;
  /** Report imports that the node does not return instead of throwing. */
  readonly isTolerant?: boolean;
  readonly progress?: (line: string) => void;
}

/** Files of a node, in their wire form. */
export interface PulledFiles {
  /** Serialised FileDescriptorProto by wire path, including the imports of each file. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Wire names of the services that the node lists. */
  readonly services: readonly string[];
  /** Requested symbols and paths that the node does not know, by wire name. */
  readonly unknown: readonly string[];
  /** Wire paths that are imported but not returned; only with `isTolerant`. */
  readonly missing?: readonly string[];
}

/** Usual names of files that no query service imports: transactions and events. */
const usualNames = [
  'events',
  'event',
  'msg',
  'tx',
  'genesis',
  'authz',
  'querier',
  'query',
  'packet',
  'proposal',
  'types',
];
/** Suffix of the framework's own reflection service, regardless of its network. */
const frameworkReflection = '.base.reflection.v1beta1.ReflectionService';

/** Reads the descriptors of a live node over reflection, including those that it does not list. */
export async function pullFiles(endpoint: string, options: PullOptions): Promise<PulledFiles> {
  const session = new GrpcSession(endpoint);
  try {
    const client = await ReflectionClient.open(session);
    const pulled = await new Puller(session, client, options).run();
    client.close();
    return pulled;
  } finally {
    session.close();
  }
}

class Puller {
  readonly #session: GrpcSession;
  readonly #client: ReflectionClient;
  readonly #options: PullOptions;
  readonly #files = new Map<string, Uint8Array>();
  /** The first request that returned a file. */
  readonly #askedFor = new Map<string, string>();
  readonly #imports = new Set<string>();
  readonly #unknown: string[] = [];

  constructor(session: GrpcSession, client: ReflectionClient, options: PullOptions) {
    this.#session = session;
    this.#client = client;
    this.#options = options;
  }

  async run(): Promise<PulledFiles> {
    const { progress } = this.#options;
    const { services } = this.#client;
    // Requests are answered in order, so all requests of one kind may be in progress together.
    await Promise.all(services.map((service) => this.#ask(service, this.#client.filesOfSymbol(service))));
    progress?.(`${services.length} services: ${this.#files.size} files`);
    if (!this.#options.listedOnly) await this.#askUnlisted();
    await this.#complete();
    progress?.(`with files by name and imports: ${this.#files.size} files`);
    const missing = [...this.#imports].filter((path) => !this.#files.has(path)).sort();
    const [first] = missing;
    if (first !== undefined && !this.#options.isTolerant) {
      throw new UnreachableError(`${this.#session.endpoint}: the node imports ${first} and does not give it`);
    }
    return { files: this.#files, services, unknown: this.#unknown, missing };
  }

  async #askUnlisted(): Promise<void> {
    const { naming, symbols = [], paths = [], packages = [], progress } = this.#options;
    const toWire = (kind: 'type' | 'file') => (naming ? renamer(naming, kind) : (name: string) => name);
    const types = await this.#registeredTypes();
    const wanted = new Set([...types, ...[...symbols].map(toWire('type'))]);
    await Promise.all([...wanted].map((symbol) => this.#ask(symbol, this.#client.filesOfSymbol(symbol))));
    progress?.(`${wanted.size} messages by symbol: ${this.#files.size} files`);
    const named = new Set([...paths].map(toWire('file')));
    await this.#askPaths([...named], true);
    const folders = new Set([...this.#files.keys()].map((path) => dirname(path)));
    for (const name of packages) folders.add(toWire('file')(name.replaceAll('.', '/')));
    const usual = [...folders].flatMap((folder) => usualNames.map((name) => `${folder}/${name}.proto`));
    await this.#askPaths(usual, false);
  }

  async #ask(what: string, answer: Promise<Uint8Array[] | undefined>, mustBe = true): Promise<void> {
    const files = await answer;
    if (files === undefined && mustBe) this.#unknown.push(what);
    for (const bytes of files ?? []) {
      const { name, imports } = this.#headOf(bytes, what);
      const known = this.#files.get(name);
      if (known !== undefined && !Buffer.from(known).equals(bytes)) {
        const asked = `${shown(this.#askedFor.get(name) ?? '')} and for ${shown(what)}`;
        throw new CodegenError(
          `${this.#session.endpoint}: the node gives two files of the path ${shown(name)} with different content: for ${asked}`,
        );
      }
      if (known === undefined) this.#askedFor.set(name, what);
      this.#files.set(name, bytes);
      for (const path of imports) this.#imports.add(path);
    }
  }

  #headOf(bytes: Uint8Array, what: string): ReturnType<typeof headOf> {
    try {
      return headOf(bytes);
    } catch (cause) {
      const { message } = cause as Error;
      throw new UnreachableError(
        `${this.#session.endpoint}: the node gives no file descriptor for ${shown(what)}: ${message}`,
        { cause },
      );
    }
  }

  async #askPaths(paths: readonly string[], mustBe: boolean): Promise<void> {
    const missing = paths.filter((path) => !this.#files.has(path));
    await Promise.all(missing.map((path) => this.#ask(path, this.#client.filesByName(path), mustBe)));
  }

  /**
   * Requests imports that were not sent, because a node may omit files that it sent before, and the imports of those.
   */
  async #complete(): Promise<void> {
    for (let asked = -1; asked !== this.#imports.size; ) {
      asked = this.#imports.size;
      await this.#askPaths([...this.#imports], true);
    }
  }

  /**
   * Types registered in the framework's own reflection: possible contents of an Any, including transaction messages.
   */
  async #registeredTypes(): Promise<string[]> {
    const service = this.#client.services.find((name) => name.endsWith(frameworkReflection));
    if (service === undefined) return [];
    try {
      const interfaces = strings(await this.#session.unary(`/${service}/ListAllInterfaces`, new Uint8Array()));
      const lists = await Promise.all(
        interfaces.map((name) =>
          this.#session.unary(
            `/${service}/ListImplementations`,
            new BinaryWriter().tag(1, WireType.LengthDelimited).string(name).finish(),
          ),
        ),
      );
      return lists.flatMap(strings).map((url) => url.replace(/^\//, ''));
    } catch (error) {
      if (error instanceof GrpcStatusError) return [];
      throw error;
    }
  }
}

/** Path and imports of a serialised FileDescriptorProto; other fields are skipped. */
function headOf(bytes: Uint8Array): { readonly name: string; readonly imports: readonly string[] } {
  let name = '';
  const imports: string[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag();
    if (no === 1 && type === WireType.LengthDelimited) name = reader.string();
    else if (no === 3 && type === WireType.LengthDelimited) imports.push(reader.string());
    else reader.skip(type, no);
  }
  return { name, imports };
}

/** Values of field 1, a repeated string. */
function strings(bytes: Uint8Array): string[] {
  const found: string[] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag();
    if (no === 1 && type === WireType.LengthDelimited) found.push(reader.string());
    else reader.skip(type, no);
  }
  return found;
}

import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

import { type GrpcCall, type GrpcSession, GrpcStatusError } from './grpc-session.js';

const versions = ['v1alpha', 'v1'];
const unimplemented = 12;

/** Field numbers of `ServerReflectionRequest` and `ServerReflectionResponse`, which both versions share. */
const asks = { fileByName: 3, fileOfSymbol: 4, listServices: 7 } as const;
const answers = { files: 4, services: 6, error: 7 } as const;

/** Server reflection over one stream: a file is sent only once, unless it is requested explicitly. */
export class ReflectionClient {
  readonly #call: GrpcCall;
  /** Wire names of the services that the node lists. */
  readonly services: readonly string[];

  private constructor(call: GrpcCall, services: readonly string[]) {
    this.#call = call;
    this.services = services;
  }

  /** Opens the stream, in the version that the node supports, and lists its services. */
  static async open(session: GrpcSession): Promise<ReflectionClient> {
    let refused: unknown;
    for (const version of versions) {
      const call = session.call(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
      try {
        const list = members(await call.ask(request(asks.listServices, '*')), answers.services) ?? [];
        return new ReflectionClient(
          call,
          list.map((service) => Buffer.from(members(service, 1, true)?.[0] ?? []).toString()),
        );
      } catch (error) {
        if (!(error instanceof GrpcStatusError) || error.code !== unimplemented) throw error;
        refused ??= error;
      }
    }
    throw refused;
  }

  /** The file that declares a symbol, then its imports that were not sent yet; `undefined` when there is none. */
  async filesOfSymbol(symbol: string): Promise<Uint8Array[] | undefined> {
    return members(await this.#call.ask(request(asks.fileOfSymbol, symbol)), answers.files);
  }

  async filesByName(path: string): Promise<Uint8Array[] | undefined> {
    return members(await this.#call.ask(request(asks.fileByName, path)), answers.files);
  }

  close(): void {
    this.#call.end();
  }
}

function request(no: number, text: string): Uint8Array {
  return new BinaryWriter().tag(no, WireType.LengthDelimited).string(text).finish();
}

/** Repeated field 1 of member `no` of the response; with `direct`, field `no` of the bytes themselves. */
function members(bytes: Uint8Array, no: number, direct = false): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  let isThere = false;
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field !== no || type !== WireType.LengthDelimited) reader.skip(type, field);
    else {
      isThere = true;
      const data = reader.bytes();
      found.push(...(direct ? [data] : (members(data, 1, true) ?? [])));
    }
  }
  return isThere ? found : undefined;
}

/**
 * Method constants as service definitions of @grpc/grpc-js, for its generic clients and its server. Requires Node, but
 * not grpc-js: the definitions are plain objects of the shape that it reads.
 */
import { encodeBinary } from './binary.js';
import { decodeBinaryFast } from './compile-decoder.js';
import type { Method, PartialForm } from './method.js';
import type { Naming } from './naming.js';
import { identityNaming } from './identity-naming.js';

/** Buffer if the types of Node are available; elsewhere, where it is unused, any bytes. */
export type NodeBuffer = typeof globalThis extends { Buffer: { alloc(size: number): infer B } } ? B : Uint8Array;

/** Definition of one method: its path, and the functions that convert forms to bytes and back. */
export interface GrpcMethod<I, O> {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: PartialForm<I>) => NodeBuffer;
  readonly requestDeserialize: (bytes: Uint8Array) => I;
  readonly responseSerialize: (value: PartialForm<O>) => NodeBuffer;
  readonly responseDeserialize: (bytes: Uint8Array) => O;
  /** Name in the proto file, `QueryNodes`: a server also accepts its handler under this name. */
  readonly originalName: string;
  /** The method constant of the definition. */
  readonly method: Method<I, O>;
}

/** Input of `grpcService`. */
type Methods = Readonly<Record<string, Method<never, never> | Method>>;

type DefinitionOf<M> = M extends Method<infer I, infer O> ? GrpcMethod<I, O> : never;

export type GrpcService<M> = { readonly [K in keyof M]: DefinitionOf<M[K]> };

/** Service definition for methods by their names, with neutral paths. */
export function grpcService<M>(methods: M, naming: Naming = identityNaming): GrpcService<M> {
  const entries = Object.entries(methods as Methods).map(([name, method]) => [name, define(method as Method, naming)]);
  return Object.fromEntries(entries) as GrpcService<M>;
}

/** The same service with the names of a network: its path, and type URLs in its messages. */
export function withNaming<M>(service: GrpcService<M>, naming: Naming): GrpcService<M> {
  const definitions = Object.entries(service as Readonly<Record<string, GrpcMethod<unknown, unknown>>>);
  return Object.fromEntries(definitions.map(([name, { method }]) => [name, define(method, naming)])) as GrpcService<M>;
}

function define(method: Method, naming: Naming): GrpcMethod<unknown, unknown> {
  const { service, name, request, response } = method;
  const isStream = 'stream' in method;
  return {
    path: naming.typeToWire(`/${service}/${name}`),
    requestStream: isStream,
    responseStream: isStream,
    requestSerialize: (value) => bufferOf(encodeBinary(request, value, naming)),
    requestDeserialize: (bytes) => decodeBinaryFast(request, bytes, naming),
    responseSerialize: (value) => bufferOf(encodeBinary(response, value, naming)),
    responseDeserialize: (bytes) => decodeBinaryFast(response, bytes, naming),
    originalName: name,
    method,
  };
}

function bufferOf(bytes: Uint8Array): NodeBuffer {
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}

import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type FileDescriptorProto, FileDescriptorProtoSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';

export interface FakeReflection {
  /** `127.0.0.1:port` */
  readonly endpoint: string;
  close(): Promise<void>;
}

export interface FakeNode {
  /** Paths of files that the server does not return. */
  readonly without?: readonly string[];
  /** Full names of the listed services; default: all services in the set. */
  readonly services?: readonly string[];
}

/** A server that answers reflection requests from a descriptor set, with one file per response. */
export async function fakeReflection(set: FileDescriptorSet, node: FakeNode = {}): Promise<FakeReflection> {
  const files = set.file.filter(({ name }) => node.without?.includes(name) !== true);
  const bytesOf = new Map(files.map((file) => [file, toBinary(FileDescriptorProtoSchema, file)]));
  const services = node.services ?? set.file.flatMap(servicesIn);
  const answer = (asked: Uint8Array): Uint8Array => {
    const reader = new BinaryReader(asked);
    const [no] = reader.tag();
    const text = reader.string();
    const writer = new BinaryWriter();
    if (no === 7) {
      writer.tag(6, WireType.LengthDelimited).fork();
      for (const name of services)
        writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string(name).join();
      return writer.join().finish();
    }
    const file = files.find((each) => (no === 3 ? each.name === text : symbolsIn(each).includes(text)));
    if (file) {
      writer.tag(4, WireType.LengthDelimited).fork();
      writer.tag(1, WireType.LengthDelimited).bytes(bytesOf.get(file) ?? new Uint8Array());
    } else {
      writer.tag(7, WireType.LengthDelimited).fork();
      writer.tag(1, WireType.Varint).int32(5).tag(2, WireType.LengthDelimited).string('not found');
    }
    return writer.join().finish();
  };
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => undefined);
    if (!String(headers[':path']).startsWith('/grpc.reflection.')) {
      // Unimplemented.
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' }, { endStream: true });
      return;
    }
    let waiting = Buffer.alloc(0);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      for (let length = size(waiting); length !== undefined; length = size(waiting)) {
        const reply = answer(waiting.subarray(5, 5 + length));
        const head = Buffer.alloc(5);
        head.writeUInt32BE(reply.length, 1);
        stream.write(Buffer.concat([head, reply]));
        waiting = waiting.subarray(5 + length);
      }
    });
    stream.on('end', () => stream.end());
    stream.on('error', () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function servicesIn({ package: scope, service }: FileDescriptorProto): string[] {
  return service.map(({ name }) => `${scope}.${name}`);
}

function symbolsIn(file: FileDescriptorProto): string[] {
  return [...servicesIn(file), ...file.messageType.map(({ name }) => `${file.package}.${name}`)];
}

/** Length of the first message; `undefined` until it has been received completely. */
function size(bytes: Buffer): number | undefined {
  if (bytes.length < 5) return undefined;
  const length = bytes.readUInt32BE(1);
  return bytes.length >= 5 + length ? length : undefined;
}

function close(server: Http2Server): Promise<void> {
  return new Promise((done) => server.close(() => done()));
}

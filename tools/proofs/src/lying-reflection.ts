import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { toBinary } from '@bufbuild/protobuf';
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

export interface LyingNode {
  /** `127.0.0.1:port` */
  readonly endpoint: string;
  /** Sets the files that it serves from now on: all of them in response to any request, regardless of their names. */
  serve(files: readonly FileDescriptorProto[]): void;
  close(): Promise<void>;
}

/** Starts a server whose gRPC reflection returns arbitrary descriptors. */
export async function startLyingNode(): Promise<LyingNode> {
  let files: readonly FileDescriptorProto[] = [];
  const reply = (asked: Uint8Array): Uint8Array => {
    const [no] = new BinaryReader(asked).tag();
    const writer = new BinaryWriter();
    const isList = no === 7;
    writer.tag(isList ? 6 : 4, WireType.LengthDelimited).fork();
    if (isList) {
      // One is enough: every request is answered with all files.
      writer.tag(1, WireType.LengthDelimited).fork().tag(1, WireType.LengthDelimited).string('lying.Service').join();
    } else {
      for (const file of files)
        writer.tag(1, WireType.LengthDelimited).bytes(toBinary(FileDescriptorProtoSchema, file));
    }
    return writer.join().finish();
  };
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    let waiting = Buffer.alloc(0);
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.on('data', (chunk: Buffer) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 5 && waiting.length >= 5 + waiting.readUInt32BE(1)) {
        const end = 5 + waiting.readUInt32BE(1);
        const answer = reply(waiting.subarray(5, end));
        waiting = waiting.subarray(end);
        const head = Buffer.alloc(5);
        head.writeUInt32BE(answer.length, 1);
        stream.write(Buffer.concat([head, answer]));
      }
    });
    stream.on('end', () => stream.end());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (next) => void (files = next),
    close: () => new Promise((done) => server.close(() => done())),
  };
}

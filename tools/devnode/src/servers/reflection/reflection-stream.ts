import {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '@hubwatch/types/gen/forms/grpc/reflection/v1alpha/reflection';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { type GrpcStream, grpcCode, type StreamAnswer } from '../grpc/message.js';
import type { DescriptorFile, DescriptorIndex } from './descriptor-index.js';

export const reflectionPath = '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo';

type Answer = ServerReflectionResponse['messageResponse'];

/** Option types for which the node lists only their own extensions: it queries one of the two registries in its binary. */
const incomplete = new Set(['FieldOptions', 'MessageOptions', 'FileOptions'].map((name) => `google.protobuf.${name}`));
/** Extension numbers declared by other libraries in the node's binary. */
const foreignNumbers: Readonly<Record<string, readonly number[]>> = {
  'google.protobuf.MethodOptions': [1049, 1051, 72295729, 265073217],
  'google.protobuf.ServiceOptions': [1049, 1050, 525000001],
};

export interface ReflectionParts {
  readonly index: () => DescriptorIndex;
  /** Wire names of the served services, in byte order. */
  readonly services: readonly string[];
}

function notFound(message: string): Answer {
  return { $case: 'errorResponse', value: { errorCode: grpcCode.notFound, errorMessage: message } };
}

/** One reflection stream. Files already sent are omitted from later responses, except for the requested file. */
export class ReflectionStream implements GrpcStream {
  readonly #parts: ReflectionParts;
  readonly #sent = new Set<string>();

  constructor(parts: ReflectionParts) {
    this.#parts = parts;
  }

  receive(message: Uint8Array): StreamAnswer {
    let request: ServerReflectionRequest;
    try {
      request = decodeBinary(ServerReflectionRequest, message);
    } catch {
      const text = 'grpc: failed to unmarshal the received message: proto: cannot parse invalid wire-format data';
      return { code: grpcCode.internal, message: text };
    }
    const answer = this.#answer(request.messageRequest);
    if (answer === undefined) return { code: grpcCode.invalidArgument, message: 'invalid MessageRequest: <nil>' };
    const response = { validHost: request.host, originalRequest: request, messageResponse: answer };
    return { body: encodeBinary(ServerReflectionResponse, response) };
  }

  #answer(asked: ServerReflectionRequest['messageRequest']): Answer {
    if (asked === undefined) return undefined;
    if (asked.$case === 'listServices') {
      return { $case: 'listServicesResponse', value: { service: this.#parts.services.map((name) => ({ name })) } };
    }
    const index = this.#parts.index();
    if (asked.$case === 'fileByFilename') return this.#files(index.file(asked.value), `unknown file: ${asked.value}`);
    if (asked.$case === 'fileContainingSymbol') {
      return this.#files(index.fileOfSymbol(asked.value), `unknown symbol: ${asked.value}`);
    }
    if (asked.$case === 'fileContainingExtension') {
      const { containingType, extensionNumber } = asked.value;
      if (!index.isMessage(containingType)) return notFound(`unknown type: ${JSON.stringify(containingType)}`);
      const text = `failed to find registered extension for extension number ${extensionNumber}`;
      return this.#files(index.fileOfExtension(containingType, extensionNumber), text);
    }
    return this.#numbers(asked.value);
  }

  #files(file: DescriptorFile | undefined, missing: string): Answer {
    if (file === undefined) return notFound(missing);
    const files = this.#parts
      .index()
      .withImports(file.name)
      .filter(({ name }) => name === file.name || !this.#sent.has(name));
    for (const { name } of files) this.#sent.add(name);
    return { $case: 'fileDescriptorResponse', value: { fileDescriptorProto: files.map(({ bytes }) => bytes) } };
  }

  #numbers(type: string): Answer {
    const index = this.#parts.index();
    if (!index.isMessage(type)) return notFound(`unknown type: ${JSON.stringify(type)}`);
    const own = [...index.extensionsOf(type)]
      .filter(([, file]) => !incomplete.has(type) || file.startsWith('gogoproto/'))
      .map(([no]) => no);
    const extensionNumber = [...own, ...(foreignNumbers[type] ?? [])];
    return { $case: 'allExtensionNumbersResponse', value: { baseTypeName: type, extensionNumber } };
  }
}

import type { Naming } from '@hubwatch/types/runtime/naming';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { GrpcStream } from '../grpc/message.js';
import { DescriptorIndex } from './descriptor-index.js';
import { ReflectionStream, reflectionPath } from './reflection-stream.js';

export interface ReflectionOptions {
  readonly methods: readonly AnyMethod[];
  readonly naming: Naming;
  /** Maps whole path segments of proto files from neutral to wire names. */
  readonly fileSegments: Readonly<Record<string, string>>;
  /** Compressed descriptor set with neutral names. */
  readonly descriptors: string;
}

/** Opens reflection streams; descriptors are loaded by the first request that needs them. */
export function reflection({
  methods,
  naming,
  fileSegments,
  descriptors,
}: ReflectionOptions): (path: string) => GrpcStream | undefined {
  const services = [...new Set(methods.map(({ service }) => naming.typeToWire(service)))];
  services.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const segment = (part: string): string => fileSegments[part] ?? part;
  const file = (name: string): string =>
    name
      .split('/')
      .map((part) => {
        const dot = part.indexOf('.');
        return dot === -1 ? segment(part) : `${segment(part.slice(0, dot))}${part.slice(dot)}`;
      })
      .join('/');
  const names = {
    file,
    type: (name: string) => naming.typeToWire(name),
    member: (name: string) => naming.memberToWire(name),
    route: (path: string) => naming.routeToWire(path),
  };
  let index: DescriptorIndex | undefined;
  const parts = {
    services,
    index: (): DescriptorIndex => {
      index ??= new DescriptorIndex(descriptors, names, new Set(services));
      return index;
    },
  };
  return (path) => (path === reflectionPath ? new ReflectionStream(parts) : undefined);
}

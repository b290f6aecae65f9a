import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';

/** `/<service>/<method>` as on the wire: the path of a method over gRPC and of its `abci_query`. */
export function methodPath(method: AnyMethod, naming: Naming): string {
  return `${naming.typeToWire(`/${method.service}`)}/${method.name}`;
}

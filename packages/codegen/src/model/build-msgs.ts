import type { DescMessage, DescService } from '@bufbuild/protobuf';

import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';
import { toCamelCase, toConstantName, toModulePath } from '../naming/case.js';
import { NamesInScope } from '../naming/reserved.js';
import type { MsgModel, MsgServiceModel } from './model.js';
import { isTransactionService, reachedFiles } from './reach.js';
import { ownValue } from '../own-value.js';

/** Transaction messages, by the service that declares them. The node itself serves none of these services. */
export function buildMsgServices(linked: Linked, spec: Spec): MsgServiceModel[] {
  // `all` is reserved for the list of all messages.
  const paths = new NamesInScope(['all']);
  return reachedFiles(linked, spec)
    .flatMap((file) => file.services.filter((service) => isTransactionService(service, spec)))
    .map((service) => buildService(service, paths.take(toModulePath(service.typeName)), linked, spec))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function buildService(service: DescService, path: string, linked: Linked, spec: Spec): MsgServiceModel {
  const names = new NamesInScope();
  return {
    name: service.typeName,
    path,
    msgs: service.methods.map(({ input, output }) => ({
      constant: names.take(constantOf(input)),
      request: input.typeName,
      response: output.typeName,
      signers: signersOf(input, linked, spec),
    })),
  };
}

/** `MsgSend` and `MsgSendRequest` become `msgSend`. */
function constantOf({ name }: DescMessage): MsgModel['constant'] {
  return toConstantName(name.replace(/Request$/, ''));
}

function signersOf(message: DescMessage, linked: Linked, { availability }: Spec): string[] {
  const declared = linked.option(message.proto.options, 'stack.msg.v1.signer') as readonly string[] | undefined;
  const usual = ownValue(availability.signers, message.typeName.split('.')[0] ?? '');
  const names = declared ?? (usual === undefined ? [] : [usual]);
  // The framework itself names a field that does not exist: `signer` of stack.group.v1.MsgExec.
  return names.filter((name) => message.fields.some((field) => field.name === name)).map(toCamelCase);
}

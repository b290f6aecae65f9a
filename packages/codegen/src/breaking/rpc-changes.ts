import type { Model, RpcMethodModel } from '../model/model.js';
import { type InterfaceChange, InterfaceChanges, pairs } from './change.js';

/** Methods of the consensus RPC, shapes of their results, failure codes, and the possible types of an Any. */
export function rpcChanges(old: Model, now: Model): InterfaceChange[] {
  const [wire, availability, api] = [
    new InterfaceChanges('wire'),
    new InterfaceChanges('availability'),
    new InterfaceChanges('api'),
  ];
  for (const [name, before, after] of pairs(old.rpcMethods, now.rpcMethods, (method) => method.name)) {
    const subject = `rpc ${name}`;
    if (!after) wire.breaks('rpc-removed', subject, 'the method is gone');
    else if (!before) wire.adds('rpc-added', subject, 'a new method');
    else compareMethod(subject, before, after, wire, availability);
  }
  for (const [name, before, after] of pairs(old.rpcShapes, now.rpcShapes, (shape) => shape.name)) {
    if (!after) wire.breaks('shape-removed', `rpc ${name}`, 'the shape is gone');
    else if (!before) wire.adds('shape-added', `rpc ${name}`, 'a new shape');
    else {
      for (const [member, was, is] of pairs(before.members, after.members, (each) => each.name)) {
        const subject = `rpc ${name}.${member}`;
        const text = (of: { type: string; optional: boolean }): string => of.type + (of.optional ? ', or absent' : '');
        if (!is) wire.breaks('member-removed', subject, 'the member is gone');
        else if (!was) wire.adds('member-added', subject, 'a new member');
        else if (text(was) !== text(is)) wire.breaks('member-retyped', subject, `${text(was)} is now ${text(is)}`);
      }
    }
  }
  for (const [code, before, after] of pairs(old.errorCodes, now.errorCodes, (each) => each.code)) {
    if (!after) api.breaks('code-removed', `code ${code}`, 'the failure code is gone');
    else if (!before) api.adds('code-added', `code ${code}`, 'a new failure code');
    else if (before.means !== after.means || before.do !== after.do)
      api.words('code-text', `code ${code}`, after.means);
  }
  for (const [name, before, after] of pairs(old.interfaces, now.interfaces, (type) => type.name)) {
    for (const message of (before?.implementations ?? []).filter((each) => !after?.implementations.includes(each))) {
      api.breaks('implementation-removed', name, `${message} is no member of the union any more`);
    }
    for (const message of (after?.implementations ?? []).filter((each) => !before?.implementations.includes(each))) {
      api.adds('implementation-added', name, `${message} is a member of the union now`);
    }
  }
  return [...wire.list, ...availability.list, ...api.list];
}

function compareMethod(
  subject: string,
  before: RpcMethodModel,
  after: RpcMethodModel,
  wire: InterfaceChanges,
  availability: InterfaceChanges,
): void {
  for (const [name, was, is] of pairs(before.params, after.params, (param) => param.name)) {
    if (!is) wire.breaks('parameter-removed', subject, `the parameter ${name} is gone`);
    else if (!was && is.required) wire.breaks('parameter-added', subject, `needs the new parameter ${name}`);
    else if (!was) wire.adds('parameter-added', subject, `a new parameter ${name}`);
    else if (was.type !== is.type) wire.breaks('parameter-retyped', subject, `${name}: ${was.type} is now ${is.type}`);
    else if (!was.required && is.required) wire.breaks('parameter-required', subject, `${name} must be given now`);
  }
  if (before.result !== after.result) {
    wire.breaks('result-retyped', subject, `gives ${after.result ?? 'anything'}, not ${before.result ?? 'anything'}`);
  }
  for (const over of before.over.filter((each) => !after.over.includes(each))) {
    availability.breaks('unserved', subject, `is reached over ${over} no more`);
  }
  for (const over of after.over.filter((each) => !before.over.includes(each))) {
    availability.adds('served', subject, `is reached over ${over} now`);
  }
  if (!before.unsafe && after.unsafe) availability.breaks('unsafe', subject, 'is open on nodes in unsafe mode only');
  if (before.unsafe && !after.unsafe) availability.adds('unsafe', subject, 'is open on every node now');
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { clone, create, fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  FieldDescriptorProto_Label,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { beforeAll, describe, expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { sharedInput } from '../../test/shared-input.js';
import { compareDescriptors, compareFacts, type DescriptorFacts, factsOf } from './descriptors.js';

const fixture = join(repositoryRoot, 'packages/codegen/fixtures/hub-v12.descriptors.binpb');

describe('proto/ against the descriptors of the node', () => {
  let node: DescriptorFacts;
  let compiled: FileDescriptorSet;

  beforeAll(async () => {
    node = factsOf(fromBinary(FileDescriptorSetSchema, await readFile(fixture)));
    compiled = (await sharedInput()).set;
  });

  test('proto/: equal to the descriptors of the node, 335 files, 0 differences', () => {
    expect(compiled.file).toHaveLength(335);
    const differences = compareFacts(factsOf(compiled), node);
    expect(differences.slice(0, 10).map(({ name, what }) => `${name}: ${what}`)).toEqual([]);
  });

  /** Result of the comparison after `change` was applied to a copy of our set. */
  function afterChange(change: (set: FileDescriptorSet) => void): string[] {
    const changed = clone(FileDescriptorSetSchema, compiled);
    change(changed);
    return compareFacts(factsOf(changed), node).map(({ name, what }) => `${name}: ${what}`);
  }

  function messageOf(set: FileDescriptorSet, file: string, name: string): DescriptorProto {
    const message = set.file.find((item) => item.name === file)?.messageType.find((item) => item.name === name);
    if (!message) throw new Error(`${file} has no ${name}`);
    return message;
  }
  const node3 = (set: FileDescriptorSet): DescriptorProto => messageOf(set, 'hub/node/v3/node.proto', 'Node');

  test('compare: messages use the names of the two sets that the caller gives', () => {
    const one = create(FileDescriptorSetSchema, { file: compiled.file.slice(0, 1) });
    const none = create(FileDescriptorSetSchema);
    const [first] = compareDescriptors(one, none, { ours: 'a.binpb', theirs: 'b.binpb' });
    expect(first?.what).toMatch(/^is in a\.binpb \(.*\) and not in b\.binpb$/);
  });

  test('proto/: a deleted field is reported', () => {
    const [first] = afterChange((set) => node3(set).field.splice(4, 1));
    expect(first).toMatch(/^field hub\.node\.v3\.Node\.inactive_at: is in the node \(number 5.*not in proto\/$/);
  });

  test('proto/: a changed number, type, label, option, JSON name or order is reported', () => {
    const field = (set: FileDescriptorSet) => node3(set).field[4] as DescriptorProto['field'][number];
    const changes: ((set: FileDescriptorSet) => void)[] = [
      (set) => void (field(set).number = 15),
      (set) => void (field(set).typeName = '.google.protobuf.Duration'),
      (set) => void (field(set).label = FieldDescriptorProto_Label.REPEATED),
      (set) => void (field(set).jsonName = 'other'),
      (set) => void delete field(set).options,
    ];
    for (const change of changes) {
      expect(afterChange(change)).toEqual([expect.stringContaining('field hub.node.v3.Node.inactive_at: proto/ has')]);
    }
    expect(afterChange((set) => node3(set).field.reverse())).toEqual([
      expect.stringContaining('order of fields in hub.node.v3.Node'),
    ]);
  });

  test('proto/: a missing file, message, enum value, method, HTTP rule or import is reported', () => {
    const file = (set: FileDescriptorSet, name: string) => {
      const found = set.file.find((item) => item.name === name);
      if (!found) throw new Error(name);
      return found;
    };
    const querier = 'hub/node/v3/querier.proto';
    const method = (set: FileDescriptorSet) => file(set, querier).service[0]?.method[0] as { options?: unknown };
    const cases: [change: (set: FileDescriptorSet) => void, name: string][] = [
      [
        (set) =>
          set.file.splice(
            set.file.findIndex(({ name }) => name === 'hub/vpn/v1/genesis.proto'),
            1,
          ),
        'file hub/vpn/v1/genesis.proto',
      ],
      [(set) => file(set, 'hub/swap/v1/events.proto').messageType.pop(), 'message hub.swap.v1.EventSwap'],
      [
        (set) => file(set, 'hub/types/v1/status.proto').enumType[0]?.value.pop(),
        'enum value hub.types.v1.Status.STATUS_INACTIVE',
      ],
      [(set) => file(set, querier).service[0]?.method.shift(), 'method hub.node.v3.QueryService/QueryNodes'],
      [(set) => void delete method(set).options, 'method hub.node.v3.QueryService/QueryNodes: proto/ has'],
      [(set) => file(set, querier).dependency.reverse(), `imports of ${querier}`],
    ];
    for (const [change, name] of cases) expect(afterChange(change)[0]).toContain(name);
  });
});

import { beforeAll, describe, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import type { NamingSpec } from '../load/spec-types.js';
import { buildModel } from '../model/build-model.js';
import type { Model } from '../model/model.js';
import { renameModel } from './rename-model.js';

describe('rename model', () => {
  let model: Model;
  let naming: NamingSpec;
  let renamed: Model;

  beforeAll(async () => {
    const { linked, spec } = await sharedInput();
    model = buildModel(linked, spec);
    ({ naming } = spec);
    renamed = renameModel(model, naming);
  });

  test('rename: a profile without names leaves the model unchanged, except for unneeded name marks', () => {
    const none = { package: {}, file: {}, route: {}, event_type: {} };
    const empty: NamingSpec = { ...naming, segments: none, type_names: { simple: {} }, json_members: {} };
    const withoutMarks = JSON.parse(JSON.stringify(model, withoutMark)) as unknown;
    expect(JSON.parse(JSON.stringify(renameModel(model, empty), withoutMark))).toEqual(withoutMarks);
  });

  test('rename: no neutral word is left in a name, route, path or sentence', () => {
    const neutral = new Set(Object.keys(naming.segments.package));
    const left: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value === 'string') {
        // "hub v12" is the chain's own neutral word in prose, and follows neither a dot nor a slash.
        for (const [name] of value.matchAll(/[\w]*(?:[./]\w+)+/g)) {
          if (name.split(/[./]/).some((word) => neutral.has(word))) left.push(value);
        }
      } else if (value instanceof Map) [...(value as Map<unknown, unknown>)].forEach(visit);
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
    };
    visit({ ...renamed, rpcMethods: [], errorCodes: [] });
    expect(left).toEqual([]);
  });

  test('rename: the same number of files, messages, enums, services and interfaces, each at a distinct path', () => {
    const count = ({ files, services, interfaces, places, messages }: Model) => ({
      files: new Set(files.map(({ path }) => path)).size,
      enums: files.flatMap(({ enums }) => enums).length,
      methods: services.flatMap(({ methods }) => methods).length,
      interfaces: interfaces.length,
      places: places.size,
      messages: messages.size,
    });
    expect(count(renamed)).toEqual(count(model));
  });

  test('rename: a simple name that differs is also the local name, even of a nested type', () => {
    const locals = renamed.files.flatMap(({ messages }) => messages.map(({ local }) => local));
    const wire = Object.values(naming.type_names.simple);
    const found = locals.filter((local) => local.split('_').some((part) => wire.includes(part)));
    expect(found.length).toBeGreaterThan(0);
    expect(locals.filter((local) => Object.keys(naming.type_names.simple).includes(local))).toEqual([]);
  });

  test('rename: the member that the network spells differently', () => {
    const fields = [...renamed.messages.values()].flatMap((message) => message.fields);
    for (const [from, to] of Object.entries(naming.json_members)) {
      expect(fields.filter(({ name, prop }) => name === from || prop === from)).toEqual([]);
      expect(fields.filter(({ name, prop }) => name === to || prop === to).length).toBeGreaterThan(0);
    }
  });
});

const withoutMark = (key: string, value: unknown): unknown =>
  key === 'carries' || key === 'holdsEvent' || key === 'namedAttributes'
    ? undefined
    : typeof value === 'bigint'
      ? `${value}n`
      : value;

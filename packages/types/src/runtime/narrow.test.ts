import { describe, expect, expectTypeOf, it } from 'vitest';
import type { AnySessionI } from '../gen/any/hub/session/v3/session-i.js';
import { Node } from '../gen/forms/hub/node/v3/node.js';
import { Session } from '../gen/forms/hub/node/v3/session.js';
import { BaseSession } from '../gen/forms/hub/session/v3/session.js';
import { queryNodes } from '../gen/methods/hub/node/v3/query-service.js';
import { querySessions } from '../gen/methods/hub/session/v3/query-service.js';
import { messageByName, messageNames } from '../gen/registry.js';
import { fullForm } from '../../test/full-form.js';
import { decodeBinary, encodeBinary } from './binary.js';
import { decodeBinary as decodeFast, fromJson as fromJsonFast } from './decode.js';
import { memberOf } from './form-member.js';
import { fromJson, toGatewayJson } from './json.js';
import type { AnyMethod, ItemOf } from './method.js';
import { narrow, only, type Wanted } from './narrow.js';
import type { MessageTable } from './table.js';

type Form = Readonly<Record<string, unknown>>;

/** Every second member of a form, the first, third and so on. */
function halfOf(table: MessageTable): string[] {
  return [...new Set(table.fields.map(memberOf))].filter((_, place) => place % 2 === 0);
}

function answering(response: MessageTable): AnyMethod {
  return { ...queryNodes, response };
}

const onlyStatus = narrow(queryNodes, only(Node, 'status'));
const sessionBytes = narrow(querySessions, only(Session, 'baseSession'), only(BaseSession, 'id', 'downloadBytes'));

describe('narrow', () => {
  it('any message, half of its members: the same values as a complete read, by every decoder', () => {
    for (const name of messageNames) {
      const table = messageByName(name) as MessageTable;
      const members = halfOf(table);
      const { response } = narrow(answering(table), { table, members });
      const bytes = encodeBinary(table, fullForm(table, 0));
      const whole = decodeBinary(table, bytes) as Form;
      const half = Object.fromEntries(members.map((member) => [member, whole[member]]));
      expect(decodeBinary(response, bytes), name).toStrictEqual(half);
      expect(decodeFast(response, bytes), name).toStrictEqual(half);
    }
  });

  it('gateway JSON: the same members', () => {
    const form = fullForm(queryNodes.response);
    const json: unknown = JSON.parse(toGatewayJson(queryNodes.response, form as never));
    for (const decode of [fromJson, fromJsonFast]) {
      const { nodes } = decode(onlyStatus.response, json);
      expect(nodes).toStrictEqual(nodes.map(({ status }) => ({ status })));
      expect(nodes).toHaveLength(2);
    }
  });

  it('the value of an Any is narrowed too, and an unknown type is unchanged', () => {
    const [session] = fullForm(querySessions.response)['sessions'] as [AnySessionI];
    const unknown = { typeUrl: '/hub.future.v9.Session', raw: Uint8Array.of(8, 1) };
    const bytes = encodeBinary(querySessions.response, {
      sessions: [session, unknown, session],
      pagination: undefined,
    });
    const base = session.value?.baseSession;
    const narrowed = {
      typeUrl: session.typeUrl,
      value: { baseSession: { id: base?.id, downloadBytes: base?.downloadBytes } },
    };
    for (const decode of [decodeBinary, decodeFast]) {
      const { sessions } = decode(sessionBytes.response, bytes);
      expect(sessions).toStrictEqual([narrowed, unknown, narrowed]);
    }
  });

  it('types: omitted members do not exist', () => {
    expectTypeOf<keyof ItemOf<typeof onlyStatus>>().toEqualTypeOf<'status'>();
    expectTypeOf<ItemOf<typeof onlyStatus>['status']>().toEqualTypeOf<Node['status']>();
    type Narrowed = Extract<ItemOf<typeof sessionBytes>, { readonly typeUrl: '/hub.node.v3.Session' }>;
    expectTypeOf<keyof Narrowed['value']>().toEqualTypeOf<'baseSession'>();
    expectTypeOf<keyof NonNullable<Narrowed['value']['baseSession']>>().toEqualTypeOf<'id' | 'downloadBytes'>();
    // @ts-expect-error a node has no such member
    only(Node, 'moniker') satisfies Wanted<Node, never>;
  });
});

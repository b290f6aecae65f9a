import { expectTypeOf, expect, test } from 'vitest';
import type { AnySessionI } from './gen/any/hub/session/v3/session-i.js';
import { QuerySessionResponse } from './gen/forms/hub/session/v3/querier.js';
import type { Session as NodeSession } from './gen/forms/hub/node/v3/session.js';
import type { Session as SubscriptionSession } from './gen/forms/hub/subscription/v3/session.js';
import { decodeBinary, encodeBinary } from './runtime/binary.js';
import type { PartialForm } from './runtime/method.js';
import type { AnyUnknown } from './runtime/values.js';

/** Typical reader of a session: it never checks whether the value is present. */
function describeSession(session: AnySessionI): string {
  switch (session.typeUrl) {
    case '/hub.node.v3.Session':
      expectTypeOf(session.value).toEqualTypeOf<NodeSession>();
      return `node session of ${session.value.baseSession?.id}`;
    case '/hub.subscription.v3.Session':
      expectTypeOf(session.value).toEqualTypeOf<SubscriptionSession>();
      return `subscription ${session.value.subscriptionId}`;
    default:
      expectTypeOf(session).toEqualTypeOf<AnyUnknown>();
      return `${session.typeUrl} with ${Object.keys(session.raw).length} bytes or members`;
  }
}

test('a closed union: a switch over typeUrl narrows to each message, and the unknown case remains', () => {
  const session = { typeUrl: '/hub.subscription.v3.Session', value: { subscriptionId: 7n } } as const;
  const bytes = encodeBinary(QuerySessionResponse, { session } as never);
  const known = decodeBinary(QuerySessionResponse, bytes).session;
  expect(known && describeSession(known)).toBe('subscription 7');
  const other = encodeBinary(QuerySessionResponse, {
    session: { typeUrl: '/other.v9.Session', raw: Uint8Array.of(8, 1) },
  });
  const unknown = decodeBinary(QuerySessionResponse, other).session;
  expect(unknown && describeSession(unknown)).toBe('/other.v9.Session with 2 bytes or members');
});

test('a type URL that the union does not list: rejected by the compiler in comparisons, allowed in a request', () => {
  const isListed = (session: AnySessionI): boolean =>
    // @ts-expect-error a typing error in a type URL
    session.typeUrl === '/hub.node.v3.Sesion';
  expect(isListed({ typeUrl: '/hub.node.v3.Session', value: {} as NodeSession })).toBe(false);
  const sent: PartialForm<AnySessionI> = { typeUrl: '/any.v1.Text', raw: new Uint8Array() };
  expect(sent.typeUrl).toBe('/any.v1.Text');
  expectTypeOf<AnySessionI['typeUrl']>().toExtend<string>();
});

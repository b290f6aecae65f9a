import { beforeAll, describe, expect, test } from 'vitest';

import { sharedInput } from '../../test/shared-input.js';
import { transportKinds } from '../load/spec-types.js';
import { buildModel } from './build-model.js';
import type { FieldModel, MethodModel, Model } from './model.js';

describe('model of the served interface', () => {
  let model: Model;
  let methods: MethodModel[];

  beforeAll(async () => {
    const { linked, spec } = await sharedInput();
    model = buildModel(linked, spec);
    methods = model.services.flatMap((service) => service.methods);
  });

  const find = (service: string, name: string): MethodModel => {
    const method = methods.find((candidate) => candidate.service === service && candidate.name === name);
    if (!method) throw new Error(`${service}/${name}`);
    return method;
  };

  test('model: 202 files, 41 services, 236 methods, 235 of them with one response', () => {
    expect(model.files).toHaveLength(202);
    expect(model.services).toHaveLength(41);
    expect(methods).toHaveLength(236);
    expect(methods.filter(({ stream }) => stream).map(({ name }) => name)).toEqual(['ServerReflectionInfo']);
  });

  test('model: 223 routes mounted, 12 not; 11 methods unimplemented; 35 legacy routes', () => {
    expect(methods.filter(({ rest }) => rest)).toHaveLength(223);
    const notMounted = methods.filter(({ availability: { rest } }) => !rest.served && rest.kind === 'not_mounted');
    expect(notMounted).toHaveLength(12);
    const unimplemented = methods.filter(({ availability: { grpc } }) => !grpc.served);
    expect(unimplemented).toHaveLength(11);
    expect(unimplemented.every(({ availability }) => transportKinds.every((kind) => !availability[kind].served))).toBe(
      true,
    );
    expect(model.legacyRoutes).toHaveLength(35);
  });

  test('model: gRPC methods are also served over abci_query, except for 8', () => {
    const refused = methods.filter(({ availability: { grpc, abci } }) => grpc.served && !abci.served);
    expect(refused.map(({ name }) => name).sort()).toEqual([
      'BroadcastTx',
      'GetAuthnDescriptor',
      'GetChainDescriptor',
      'GetCodecDescriptor',
      'GetConfigurationDescriptor',
      'GetQueryServicesDescriptor',
      'GetTxDescriptor',
      'ServerReflectionInfo',
    ]);
  });

  test('model: the sentence of an unserved pair states the reason and the alternative', () => {
    expect(find('hub.provider.v2.QueryService', 'QueryParams').availability.grpc).toMatchObject({
      sentence:
        'hub.provider.v2 QueryParams is not implemented by hub v12; call hub.provider.v3 QueryParams over gRPC instead.',
    });
    expect(find('hub.plan.v3.QueryService', 'QueryPlans').availability.rest).toMatchObject({
      sentence:
        'hub.plan.v3 QueryPlans has no REST route on hub v12, its service is registered on the gRPC server only; call it over gRPC or abci_query instead.',
    });
  });

  const fields: [message: string, field: string, expected: Partial<FieldModel>][] = [
    ['hub.types.v1.Price', 'base_value', { kind: 'dec', always: true }],
    ['hub.types.v1.Price', 'quote_value', { kind: 'int', always: true }],
    ['stack.slashing.v1beta1.Params', 'slash_fraction_downtime', { kind: 'decBytes', always: true }],
    ['stack.gov.v1.TallyParams', 'quorum', { kind: 'decText', always: false }],
    ['stackwasm.wasm.v1.MsgExecuteContract', 'msg', { kind: 'rawJson' }],
    ['stackwasm.wasm.v1.CodeInfoResponse', 'data_hash', { kind: 'hex' }],
    ['hub.node.v3.Node', 'inactive_at', { kind: 'timestamp', always: true }],
    ['hub.node.v3.Node', 'status', { kind: 'enum', enum: 'hub.types.v1.Status' }],
    ['hub.session.v3.QuerySessionResponse', 'session', { kind: 'any', any: ['hub.session.v3.SessionI'] }],
    [
      'stack.gov.v1beta1.Proposal',
      'content',
      { kind: 'any', any: ['stack.gov.v1beta1.Content', 'stack.base.v1beta1.Msg'] },
    ],
    ['stack.nft.v1beta1.Class', 'data', { kind: 'any' }],
    ['stack.base.bft.v1beta1.VersionInfo', 'stack_sdk_version', { prop: 'stackSdkVersion' }],
    ['bft.crypto.PublicKey', 'ed25519', { kind: 'bytes', oneof: 'sum' }],
  ];
  test.each(fields)('model: %s %s has the representation of the node', (message, name, expected) => {
    const field = model.messages.get(message)?.fields.find((candidate) => candidate.name === name);
    expect(field).toMatchObject(expected);
  });
});

import type { NamingSpec, Spec } from './spec-types.js';

/** Wire names equal the names in the proto files. Nothing is emitted for it. */
export const noNaming: NamingSpec = {
  profile: 'none',
  segments: { package: {}, file: {}, route: {}, event_type: {} },
  type_names: { simple: {} },
  headers: {},
  header_values: {},
  json_members: {},
  amino: { segments: {} },
  consensus_rpc_tags: { segments: {} },
};

/** Defaults for an empty spec: every service is served over gRPC, and over REST as its proto file declares. */
export const emptySpec: Spec = {
  availability: {
    defaults: { grpc: 'served', rest: 'by_rule', abci: 'not_stated' },
    unserved: {},
    services: {},
    legacy_routes: {},
  },
  any: { interfaces: {}, fields: {}, partial: true },
  enums: { texts: {} },
  names: { fields: {}, events: [], attributes: {} },
  events: { packages: [] },
  rpc: { methods: {}, shapes: {} },
  errors: { codes: {} },
  lists: { defects: {}, methods: {} },
  options: {},
  docs: { messages: {}, fields: {}, methods: {}, complete: [] },
  naming: noNaming,
};

import type { NamingSpec, Spec } from './spec-types.js';

/** Names are on the wire what they are in the proto files. Nothing is emitted of it. */
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

/** What holds where a spec says nothing: every service is served over gRPC, and over REST as its proto file says. */
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

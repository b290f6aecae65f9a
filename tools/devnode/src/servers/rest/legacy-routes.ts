/** Routes by service of older hub services that are still mounted although the services were removed. */
export const legacyRoutes: Readonly<Record<string, readonly string[]>> = {
  'hub.node.v1.QueryService': [
    '/hub/node/v1/nodes',
    '/hub/node/v1/providers/{address}/nodes',
    '/hub/node/v1/nodes/{address}',
    '/hub/node/v1/params',
  ],
  'hub.node.v2.QueryService': [
    '/hub/node/v2/nodes',
    '/hub/node/v2/plans/{id}/nodes',
    '/hub/node/v2/nodes/{address}',
    '/hub/node/v2/params',
  ],
  'hub.plan.v1.QueryService': [
    '/hub/plan/v1/plans',
    '/hub/plan/v1/providers/{address}/plans',
    '/hub/plan/v1/plans/{id}',
    '/hub/plan/v1/plans/{id}/nodes',
  ],
  'hub.plan.v2.QueryService': [
    '/hub/plan/v2/plans',
    '/hub/plan/v2/providers/{address}/plans',
    '/hub/plan/v2/plans/{id}',
  ],
  'hub.provider.v1.QueryService': [
    '/hub/provider/v1/providers',
    '/hub/provider/v1/providers/{address}',
    '/hub/provider/v1/params',
  ],
  'hub.session.v1.QueryService': [
    '/hub/session/v1/sessions',
    '/hub/session/v1/accounts/{address}/sessions',
    '/hub/session/v1/sessions/{id}',
    '/hub/session/v1/params',
  ],
  'hub.session.v2.QueryService': [
    '/hub/session/v2/sessions',
    '/hub/session/v2/accounts/{address}/sessions',
    '/hub/session/v2/subscriptions/{id}/allocations/{address}/sessions',
    '/hub/session/v2/nodes/{address}/sessions',
    '/hub/session/v2/subscriptions/{id}/sessions',
    '/hub/session/v2/sessions/{id}',
    '/hub/session/v2/params',
  ],
  'hub.subscription.v1.QueryService': [
    '/hub/subscription/v1/subscriptions/{id}/quotas',
    '/hub/subscription/v1/accounts/{address}/subscriptions/{id}/quotas',
    '/hub/subscription/v1/subscriptions',
    '/hub/subscription/v1/accounts/{address}/subscriptions',
    '/hub/subscription/v1/subscriptions/{id}',
    '/hub/subscription/v1/params',
  ],
};

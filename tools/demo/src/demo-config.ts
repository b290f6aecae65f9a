import { stringify } from 'yaml';

export interface DemoConfigFacts {
  readonly node: { readonly grpc: string; readonly rest: string; readonly rpc: string; readonly chainId: string };
  /** `host:port` of the status page. */
  readonly web: string;
  /** `host:port` of the mail server. */
  readonly smtp: string;
  readonly mailTo: string;
  readonly store: string;
  readonly nodes: readonly Watched[];
  readonly providers: readonly Watched[];
  readonly accounts: readonly Watched[];
}

interface Watched {
  readonly alias: string;
  readonly address: string;
}

/** Configuration of the demo's monitor as YAML; with changed addresses the file works for a real node. */
export function demoConfig({ node, web, smtp, mailTo, store, ...watch }: DemoConfigFacts): string {
  const [host = '', port = ''] = smtp.split(/:(?=\d+$)/);
  return stringify({
    network: { chain_id: node.chainId, name: 'demo' },
    endpoints: [{ name: 'devnode', role: 'own', grpc: node.grpc, rest: node.rest, rpc: node.rpc }],
    watch: { nodes: watch.nodes, providers: watch.providers, accounts: watch.accounts },
    // A chain that runs 60 times faster is polled more often, so that a late heartbeat is detected within the short
    // time it lasts.
    poll: {
      endpoints: '1s',
      nodes: '1s',
      leases: '2s',
      sessions: '2s',
      renewals: '5s',
      network: '2s',
      subscriptions: '10s',
      ledger: '1s',
      other: '5s',
    },
    sweeps: { every: '10s' },
    notifiers: { email: { host, port: Number(port), tls: 'none', from: 'hubwatch@hubwatch.localhost', to: mailTo } },
    web: { listen: web },
    store: { path: store },
    log: { level: 'warn' },
  });
}

import type { VariableSubject } from './panel.js';

/** Data source of all panels and variables. The reader selects it, so that the same file works in every Grafana. */
export const datasource = { type: 'prometheus', uid: '${datasource}' };

interface VariableQuery {
  readonly label: string;
  readonly query: string;
  /** Extracts text and value of an option from each result. */
  readonly regex?: string;
}

const scope = 'job=~"$job",instance=~"$instance"';

/** Options that show the alias of a watched subject and filter by its address. */
const byAlias = (label: string, metric: string, address: string): VariableQuery => {
  const text = 'alias="(?<text>[^"]+)"';
  const value = `\\b${address}="(?<value>[^"]+)"`;
  return {
    label,
    query: `query_result(max by (alias, ${address}) (${metric}{${scope}}))`,
    // Labels in a result are sorted alphabetically.
    regex: address < 'alias' ? `/${value}(?:.*${text})?/` : `/(?:${text}.*)?${value}/`,
  };
};

const subjects: Readonly<Record<VariableSubject, VariableQuery>> = {
  node: byAlias('Node', 'hub_node_config_info', 'node'),
  account: byAlias('Account', 'hub_account_config_info', 'account'),
  provider: { label: 'Provider', query: `label_values(hub_provider_leases{${scope}}, provider)` },
  endpoint: { label: 'Endpoint', query: `label_values(hub_endpoint_config_info{${scope}}, endpoint)` },
};

/** Names of the variables that filter the queries of a dashboard. */
export const scopeOf = (chosen: readonly VariableSubject[]): readonly string[] => ['job', 'instance', ...chosen];

/** Template variables of a dashboard. A variable follows those that it depends on. */
export function variablesOf(chosen: readonly VariableSubject[], docsUrl: string): readonly object[] {
  return [
    { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', ...list, multi: false },
    queried('job', { label: 'Job', query: 'label_values(hubwatch_build_info, job)' }),
    queried('instance', { label: 'Monitor', query: 'label_values(hubwatch_build_info{job=~"$job"}, instance)' }),
    ...chosen.map((subject) => queried(subject, subjects[subject])),
    {
      ...{ name: 'docs', label: 'Documentation', type: 'textbox', hide: 2, query: docsUrl },
      current: { selected: true, text: docsUrl, value: docsUrl },
      options: [{ selected: true, text: docsUrl, value: docsUrl }],
    },
  ];
}

const list = { current: {}, hide: 0, includeAll: false, options: [], refresh: 1, regex: '', skipUrlSync: false };

function queried(name: string, { label, query, regex = '' }: VariableQuery): object {
  return {
    ...list,
    ...{ name, label, type: 'query', datasource, definition: query },
    query: {
      qryType: query.startsWith('query_result') ? 3 : 1,
      query,
      refId: 'PrometheusVariableQueryEditor-VariableQuery',
    },
    ...{ regex, multi: true, includeAll: true, allValue: '.*', refresh: 2, sort: 7 },
    current: { selected: true, text: ['All'], value: ['$__all'] },
  };
}

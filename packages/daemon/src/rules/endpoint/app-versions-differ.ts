import { endpointVersion } from '../../checks/endpoint/endpoint-version.js';
import type { Verdict } from '../../checks/verdict.js';
import { networkName } from '../../config/network-name.js';
import { cut } from '../../words.js';
import type { Rule, RuleView } from '../rule.js';
import { agreementOf } from './endpoint-verdicts.js';

/** A version and the endpoints that run it, spelled as the first of them reports it. */
interface Running {
  readonly words: string;
  readonly names: readonly string[];
}

/**
 * Endpoints of this chain that reported a version, grouped by version. Transports report different program names, and some put
 * a `v` before the version. Neither makes it a different version.
 */
const versionsOf = (view: RuleView): ReadonlyMap<string, Running> => {
  const verdicts = agreementOf(view)?.endpoints;
  const byVersion = new Map<string, Running>();
  for (const { name } of view.config.endpoints) {
    const outcome = view.observations.outcome(endpointVersion, name);
    if (outcome?.state !== 'known' || verdicts?.get(name) === 'wrong_chain') continue;
    const { name: program, version } = outcome.reading;
    const key = version === '' ? program : version.replace(/^v(?=\d)/, '');
    const { words, names } = byVersion.get(key) ?? { words: `${program} ${version}`.trim(), names: [] };
    byVersion.set(key, { words, names: [...names, name] });
  }
  return byVersion;
};

const foreign = (view: RuleView): number =>
  [...(agreementOf(view)?.endpoints.values() ?? [])].filter((verdict) => verdict === 'wrong_chain').length;

const judge = (view: RuleView): Verdict => {
  const base = { subject: networkName(view.config), term: '' };
  const byVersion = versionsOf(view);
  const told = [...byVersion.values()].flatMap(({ names }) => names);
  if (byVersion.size > 1)
    return {
      ...base,
      state: 'firing',
      title: `${base.subject}: endpoints run ${byVersion.size} different versions`,
      text: [
        ...[...byVersion.values()].map(({ words, names }) => `- ${cut(words, 80)}: ${names.join(', ')}`),
        '',
        'Nodes of different versions can come to different states: one of them stops, or follows a history of its own, at the first block that they execute differently. Within an upgrade the difference passes; otherwise bring the odd one to the version that the network runs.',
      ].join('\n'),
    };
  // An endpoint that does not report its version now may be the one that differs.
  const isWhole = told.length + foreign(view) >= view.config.endpoints.length;
  return {
    ...base,
    state: isWhole ? 'ok' : 'unknown',
    title: `${base.subject}: endpoints run one version`,
    text: [...byVersion.values()].map(({ words }) => cut(words, 80)).join(', '),
  };
};

/** Endpoints of one chain run different versions of its program. */
export const appVersionsDiffer: Rule = {
  name: 'HubAppVersionsDiffer',
  severity: 'warning',
  forMs: 1_800_000,
  time: 'clock',
  prometheus: {
    expr: `count without (version) (
    count without (endpoint, name, stack_version) (
      label_replace(hub_app_info, "version", "$1", "version", "v([0-9].*)")
      unless ignoring (name, version, stack_version, verdict) hub_endpoint_verdict{verdict="wrong_chain"} == 1
    )
  ) > 1`,
    labels: [],
    summary: 'Endpoints run {{ $value | printf "%.0f" }} different versions',
    description:
      'Nodes with different versions may compute different states. Then one of them stops or forks at the first block that they execute differently. During an upgrade the difference is temporary; otherwise update the endpoint with the wrong version. `hub_app_info` shows the versions.',
    difference:
      'For an endpoint that reports no version, Prometheus compares an empty one, and the daemon compares the application name.',
  },
  evaluate: (view) => [judge(view)],
};

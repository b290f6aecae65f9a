import type { AnyMsg } from '@hubwatch/types/gen/any/stack/base/v1beta1/msg';
import type { AnyContent } from '@hubwatch/types/gen/any/stack/gov/v1beta1/content';
import type { ParamChange } from '@hubwatch/types/gen/forms/stack/params/v1beta1/params';
import { cut } from '../../words.js';
import { changeWords, type HubModule, type HubParams, parameterTexts } from './hub-parameters.js';

/** Effect that a message of a proposal has on operators of nodes and plans if the proposal passes. */
export type ProposalEffect =
  | { readonly kind: 'parameters'; readonly module: HubModule; readonly texts: Readonly<Record<string, string>> }
  | { readonly kind: 'upgrade'; readonly name: string; readonly height: bigint }
  | { readonly kind: 'upgrade_cancelled' }
  /** A message to a hub module that sets no parameter, for example oracle assets. */
  | { readonly kind: 'hub'; readonly what: string };

/** Keys in the framework's own parameter store that are hub parameters. */
const legacyKeys: Readonly<Record<string, readonly [HubModule, string]>> = {
  'swap SwapEnabled': ['swap', 'swap_enabled'],
  'swap SwapDenom': ['swap', 'swap_denom'],
  'swap ApproveBy': ['swap', 'approve_by'],
};

/** Values in that store are JSON: `true`, `"udvpn"`. */
const legacyText = (value: string): string => {
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
};

const ofLegacyChange = ({ subspace, key, value }: ParamChange): ProposalEffect[] => {
  const [module, field] = legacyKeys[`${subspace} ${key}`] ?? [];
  return module === undefined || field === undefined
    ? []
    : [{ kind: 'parameters', module, texts: { [field]: legacyText(value) } }];
};

const ofContent = (content: AnyContent | undefined): ProposalEffect[] => {
  if (content?.value === undefined) return [];
  switch (content.typeUrl) {
    case '/stack.upgrade.v1beta1.SoftwareUpgradeProposal':
      return [{ kind: 'upgrade', name: content.value.plan.name, height: content.value.plan.height }];
    case '/stack.upgrade.v1beta1.CancelSoftwareUpgradeProposal':
      return [{ kind: 'upgrade_cancelled' }];
    case '/stack.params.v1beta1.ParameterChangeProposal':
      return content.value.changes.flatMap(ofLegacyChange);
    default:
      return [];
  }
};

const parameters = <M extends HubModule>(
  module: M,
  { params }: { readonly params: HubParams[M] },
): ProposalEffect[] => [{ kind: 'parameters', module, texts: parameterTexts(module, params) }];

const ofMessage = (message: AnyMsg): ProposalEffect[] => {
  if (message.value === undefined) return ofUnknown(message.typeUrl);
  switch (message.typeUrl) {
    case '/hub.lease.v1.MsgUpdateParamsRequest':
      return parameters('lease', message.value);
    case '/hub.node.v3.MsgUpdateParamsRequest':
      return parameters('node', message.value);
    case '/hub.oracle.v1.MsgUpdateParamsRequest':
      return parameters('oracle', message.value);
    case '/hub.provider.v3.MsgUpdateParamsRequest':
      return parameters('provider', message.value);
    case '/hub.session.v3.MsgUpdateParamsRequest':
      return parameters('session', message.value);
    case '/hub.subscription.v3.MsgUpdateParamsRequest':
      return parameters('subscription', message.value);
    case '/hub.oracle.v1.MsgCreateAssetRequest':
      return [{ kind: 'hub', what: `adds ${message.value.denom} to the oracle` }];
    case '/hub.oracle.v1.MsgUpdateAssetRequest':
      return [{ kind: 'hub', what: `changes ${message.value.denom} in the oracle` }];
    case '/hub.oracle.v1.MsgDeleteAssetRequest':
      return [
        {
          kind: 'hub',
          what: `takes ${message.value.denom} out of the oracle: prices in it with a base value are then refused`,
        },
      ];
    case '/stack.upgrade.v1beta1.MsgSoftwareUpgrade':
      return [{ kind: 'upgrade', name: message.value.plan.name, height: message.value.plan.height }];
    case '/stack.upgrade.v1beta1.MsgCancelUpgrade':
      return [{ kind: 'upgrade_cancelled' }];
    case '/stack.gov.v1.MsgExecLegacyContent':
      return ofContent(message.value.content);
    default:
      return ofUnknown(message.typeUrl);
  }
};

/** A message of a later version is reported by its name; only the hub module that receives it is known. */
const ofUnknown = (typeUrl: string): ProposalEffect[] =>
  typeUrl.startsWith('/hub.') ? [{ kind: 'hub', what: `has the message ${cut(typeUrl.slice(1), 120)}` }] : [];

/** Effects of a proposal, message by message; empty if it concerns neither the hub's modules nor its program. */
export const effectsOf = (messages: readonly AnyMsg[]): readonly ProposalEffect[] => messages.flatMap(ofMessage);

/** Current parameters by module; modules with unknown parameters are absent. */
export type PresentTexts = ReadonlyMap<HubModule, Readonly<Record<string, string>>> | undefined;

/** Describes one effect, current value → proposed value. */
export const effectWords = (effect: ProposalEffect, present: PresentTexts, head: bigint | undefined): string => {
  switch (effect.kind) {
    case 'parameters':
      return parametersWords(effect.module, effect.texts, present?.get(effect.module));
    case 'upgrade': {
      const left = head === undefined || effect.height <= head ? '' : `, ${effect.height - head} blocks from now`;
      return `the program is replaced at height ${effect.height}${left}: upgrade ${cut(effect.name, 80)}. The chain stops there until enough validators run the new one; full nodes need it too.`;
    }
    case 'upgrade_cancelled':
      return 'the planned upgrade is cancelled';
    case 'hub':
      return cut(effect.what, 300);
  }
};

const parametersWords = (
  module: HubModule,
  texts: Readonly<Record<string, string>>,
  present: Readonly<Record<string, string>> | undefined,
): string => {
  if (present === undefined)
    return `parameters of the module ${module} are set; their current values are unknown, so changes cannot be listed`;
  const changed = Object.entries(texts).filter(([field, text]) => present[field] !== text);
  return changed.length === 0
    ? `parameters of the module ${module} are set to what they are: nothing changes`
    : changed.map(([field, text]) => changeWords(module, field, present[field] ?? '', text)).join('\n- ');
};

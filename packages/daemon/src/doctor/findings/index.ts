import type { Diagnosis } from '../diagnosis.js';
import type { Advice, Finding, FindingRule } from './finding.js';
import * as history from './history.js';
import * as surface from './surface.js';
import * as sync from './sync.js';
import { methodsRefused, namingUnknown, otherRelease, servicesMissing } from './interface.js';
import * as reach from './reach.js';

/** All findings, the most urgent first. A new finding is one function and one line here. */
export const findingRules: readonly FindingRule[] = [
  reach.nameUnknown,
  reach.portRefused,
  reach.portUnreachable,
  reach.portSilent,
  reach.portHangs,
  reach.speaksTls,
  reach.speaksNoTls,
  reach.certificateRefused,
  reach.noHttp2,
  reach.wrongPort,
  reach.rateLimited,
  reach.redirected,
  reach.proxyAnswers,
  reach.notANode,
  reach.starting,
  reach.otherNetwork,
  reach.deadAddress,
  reach.otherFailure,
  sync.wrongChainFinding,
  sync.differentNodes,
  sync.stoppedForUpgrade,
  sync.frozen,
  sync.catchingUp,
  sync.oldBlock,
  sync.stateBehindFinding,
  sync.fromTheFuture,
  sync.clockOff,
  sync.noPeers,
  sync.upgradeAhead,
  surface.unsafeExposed,
  surface.certificateEnds,
  surface.certificateAhead,
  history.depthsMissing,
  history.statePruned,
  history.statesDiffer,
  history.blocksMissing,
  history.boundUnknown,
  history.indexOff,
  history.indexDeaf,
  history.indexBehind,
  history.indexShort,
  history.resultsMissing,
  surface.websocketOff,
  surface.reflectionOff,
  namingUnknown,
  servicesMissing,
  methodsRefused,
  otherRelease,
];

/** Findings for a diagnosis, in the order of the list. */
export const findingsOf = (diagnosis: Diagnosis): readonly Finding[] =>
  findingRules.flatMap((rule) => listOf(rule.find(diagnosis)).map((advice) => ({ id: rule.id, ...advice })));

const listOf = (found: Advice | readonly Advice[] | undefined): readonly Advice[] =>
  found === undefined ? [] : 'says' in found ? [found] : found;

import { HubError } from '../error.js';
import { codeOfPlainText, readFrameworkStatus } from '../framework-error.js';
import { firstHeight, lostHeightCode, type Refusal, readHeightRefusal } from '../height-refusal.js';
import { type Place, placeText } from '../place.js';
import { nodeText } from '../node-text.js';
import type { AbciQueryResult } from '../rpc/results.js';

/** Maps an application error, which is HTTP 200 and a JSON-RPC success. */
export function abciError(whole: AbciQueryResult, place: Place): HubError {
  const answer = { ...whole, log: nodeText(whole.log) };
  return new HubError({
    ...refusalOf(answer, place.height),
    message: `${placeText(place)}: ${answer.log === '' ? `code ${answer.code} of ${answer.codespace}` : answer.log}`,
    ...place,
    raw: { abciCode: answer.code, codespace: answer.codespace, text: answer.log },
  });
}

/** Names of gRPC codes as the log spells them. */
const statusByName: Readonly<Record<string, number>> = {
  Canceled: 1,
  InvalidArgument: 3,
  DeadlineExceeded: 4,
  NotFound: 5,
  ResourceExhausted: 8,
  Unimplemented: 12,
  Internal: 13,
  Unavailable: 14,
};

/** Failure of an `abci_query` response. Codespace and code are ambiguous, so the log text decides first. */
function refusalOf({ code, codespace, log }: AbciQueryResult, height: bigint | undefined): Refusal {
  const refusal = readHeightRefusal(log);
  if (refusal !== undefined) return refusal;
  // Codes 18, 22 and 6 replace gRPC codes, which the log names: `rpc error: code = <Name> desc = …`
  const name = /rpc error: code = (\w+) desc = /.exec(log)?.[1];
  const status = name === undefined ? undefined : statusByName[name];
  if (status !== undefined) return readFrameworkStatus(status, log);
  if (codespace === 'sdk') {
    if (code === 22) return { code: 'not_found' };
    // Code 2 is a refusal of a raw store query by the framework. Code 18 is any plain error of a handler, so it is not mapped.
    if (code === 2) return { code: 'invalid_argument' };
    if (code === 26) return { code: 'height_in_future' };
    // pruned state on newer framework versions
    if (code === 38) return { code: lostHeightCode(height) };
    // a proof of a version that the store does not retain, pruned or in the future
    if (/^proof is unexpectedly empty/.test(log) && height !== undefined && height < firstHeight) {
      return { code: 'height_never_existed' };
    }
    // unknown path: the node has no such method or service
    if (code === 6 && /no query path provided|unknown query: /.test(log)) return { code: 'unimplemented' };
  }
  const plain = codeOfPlainText(log);
  if (plain !== undefined) return { code: plain };
  // code of a panic in the handler
  return { code: code === 111222 ? 'internal' : 'unknown' };
}

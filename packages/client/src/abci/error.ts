import { HubError } from '../error.js';
import { codeOfPlainText, readStatus } from '../framework-error.js';
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

/** @source hub messages §0.6, consensus rpc §3.1 */
function refusalOf({ code, codespace, log }: AbciQueryResult, height: bigint | undefined): Refusal {
  const refusal = readHeightRefusal(log);
  if (refusal !== undefined) return refusal;
  // §0.6: codes 18, 22 and 6 stand for gRPC codes, which the log names: `rpc error: code = <Name> desc = …`
  const name = /rpc error: code = (\w+) desc = /.exec(log)?.[1];
  const status = name === undefined ? undefined : statusByName[name];
  if (status !== undefined) return readStatus(status, log);
  if (codespace === 'sdk') {
    if (code === 22) return { code: 'not_found' };
    // §3.1: the framework's own complaint about a raw store query; code 18 is every plain error of a handler as well, which
    // gRPC shows as code 2, so it says nothing.
    if (code === 2) return { code: 'invalid_argument' };
    if (code === 26) return { code: 'height_in_future' };
    // §3.1: pruned state on newer framework versions
    if (code === 38) return { code: lostHeightCode(height) };
    // §3.1: a proof of a version that the store does not hold, be it pruned or to come
    if (/^proof is unexpectedly empty/.test(log) && height !== undefined && height < firstHeight) {
      return { code: 'height_never_existed' };
    }
    // §3.1: unknown path; the method or the whole service is not there
    if (code === 6 && /no query path provided|unknown query: /.test(log)) return { code: 'unimplemented' };
  }
  const plain = codeOfPlainText(log);
  if (plain !== undefined) return { code: plain };
  // §3.1: the handler panicked
  return { code: code === 111222 ? 'internal' : 'unknown' };
}

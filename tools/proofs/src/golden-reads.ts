import { isDeepStrictEqual } from 'node:util';
import { publicNaming } from '@hubwatch/client';
import { readAbciResponse } from '@hubwatch/client/abci';
import { readGrpcResponse } from '@hubwatch/client/grpc';
import { readRestResponse } from '@hubwatch/client/rest';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { fromJson, parseJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { anyMembers } from './any-members.js';
import { withJsonValues, withSortedLists } from './compare-forms.js';
import { Counts } from './counts.js';
import { checkRequests } from './golden-requests.js';
import { knownMethods } from './known-methods.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { loadStockCodecs, type StockDecoder } from './stock-decoder.js';
import { abciResult, headerOf, type ReadGroup, type ReadRow, readGroups } from './recordings.js';
import { type UnequalRead, unequalReads } from './unequal-reads.js';

/** Methods that return their lists in random order, so that two calls differ. */
const randomOrder: ReadonlySet<string> = new Set([
  'stack.params.v1beta1.Query/Subspaces',
  'stack.base.reflection.v1beta1.ReflectionService/ListAllInterfaces',
  'stack.base.reflection.v1beta1.ReflectionService/ListImplementations',
]);

/** The decoded object of a record does not depend on the transport. */
export const goldenReads: Proof = {
  name: 'golden-reads',
  about: 'Every recorded read decodes to the same object over gRPC, REST and abci_query.',
  run: (options) => proveReads(options, unequalReads),
};

/** The proof with a custom list of reads that are known to differ. */
export async function proveReads({ reads, log }: ProofOptions, unequal: readonly UnequalRead[]): Promise<ProofOutcome> {
  const { decode: stock } = await loadStockCodecs();
  const counts = new Counts();
  const differences: string[] = [];
  const listed = new Set(unequal.map(({ group }) => group));
  let passed = 0;
  let total = 0;
  for (const [group, rows] of readGroups(reads)) {
    const failedBefore = counts.failed;
    const outcome = tried(group, () => {
      checkRequests(group, rows, counts, log);
      return checkGroup(group, rows, counts, stock, log);
    });
    const hasFailedClaim = counts.failed > failedBefore && !listed.has(group);
    if (outcome === 'not compared' && !hasFailedClaim) continue;
    total++;
    if (hasFailedClaim) {
      differences.push(
        outcome === 'equal' || outcome === 'not compared' ? `${group}: a claim beside it fails, see above` : outcome,
      );
    } else if (outcome === 'equal' && listed.has(group)) {
      differences.push(`${group} is equal now: strike it from unequal-reads.ts`);
    } else if (outcome === 'equal' || listed.has(group)) {
      passed++;
      if (outcome !== 'equal') counts.add('unequal, listed with a reason', true);
    } else {
      differences.push(outcome);
    }
  }
  for (const difference of differences.slice(0, 20)) log(difference);
  return { passed, total, counterExample: differences[0], figures: counts.figures() };
}

type Outcome = 'not compared' | 'equal' | `${string}: ${string}`;

/** A response that cannot be decoded counts as a difference. */
function tried(group: string, check: () => Outcome): Outcome {
  try {
    return check();
  } catch (error) {
    return `${group}: ${(error as Error).message}`;
  }
}

function checkGroup(
  group: string,
  rows: ReadGroup,
  counts: Counts,
  stock: StockDecoder,
  log: (line: string) => void,
): Outcome {
  const { grpc, rest, abci } = rows;
  const method = grpc && knownMethods.get(grpc.neutral_method);
  if (grpc?.got.code !== 0 || grpc.neutral_method.startsWith('grpc.reflection.')) return 'not compared';
  claim(counts, log, 'methods known', method !== undefined, `${grpc.neutral_method}, ${group}`);
  if (method === undefined) return 'not compared';
  const bytes = Buffer.from(grpc.got.body ?? '', 'base64');
  const overGrpc = readGrpcResponse(
    method,
    bytes,
    (name) => headerOf(grpc.got.initial, name),
    publicNaming,
    placeOf(grpc),
  );
  const form = overGrpc.message as Form;
  for (const { field, typeUrl, isKnown } of anyMembers(method.response, form)) {
    claim(counts, log, 'messages of Any fields are of a known type', isKnown, `${typeUrl} in ${field}, ${group}`);
  }
  const again = Buffer.from(encodeBinary(method.response, form, publicNaming));
  claim(counts, log, 'bytes written again equal those of gRPC', again.equals(bytes), group);
  claim(counts, log, 'equal to what ts-proto reads', isDeepStrictEqual(form, stock(method.response, bytes)), group);
  // Node's transports use compiled decoders, those of browsers the table walk.
  const walked = decodeBinary(method.response, bytes, publicNaming);
  claim(counts, log, 'equal by the table walk of browsers', isDeepStrictEqual(form, walked), group);
  const isPinned = !grpc.unpinned;
  const result = abciResult(abci);
  if (abci !== undefined && result?.response?.code === 0 && isPinned) {
    const overAbci = readAbciResponse(method, result, publicNaming, placeOf(abci));
    claim(counts, log, 'equal over abci_query', areEqual(method, form, overAbci.message as Form), group);
  }
  if (rest === undefined || rest.got.status !== 200 || !isPinned) return 'not compared';
  const body = rest.got.body ?? '';
  const overRest = readRestResponse(
    method,
    { status: 200, body, header: (name) => headerOf(rest.got.headers, name) },
    publicNaming,
    placeOf(rest),
  );
  const walkedJson = fromJson(method.response, parseJson(body), publicNaming);
  const isSameByWalk = isDeepStrictEqual(overRest.message, walkedJson);
  claim(counts, log, 'equal over REST by the table walk of browsers', isSameByWalk, group);
  claim(counts, log, 'equal answered height', overGrpc.height === overRest.height, group);
  // A list in random order is printed from its own REST response, because its order differs from gRPC.
  const printed = randomOrder.has(grpc.neutral_method) ? (overRest.message as Form) : form;
  claim(counts, log, 'text printed again equals that of REST', print(method, printed) === body, group);
  if (areEqual(method, form, overRest.message as Form)) return 'equal';
  return `${group}: the object over REST is not the one over gRPC`;
}

type Form = Readonly<Record<string, unknown>>;

function placeOf(row: ReadRow) {
  const height = row.height === null ? undefined : BigInt(row.height);
  return { transport: row.transport, address: 'recorded', method: row.neutral_method, height };
}

/** A message that cannot be printed differs from the node's output. */
function print(method: AnyMethod, form: Form): string | undefined {
  try {
    return toGatewayJson(method.response, form, publicNaming);
  } catch {
    return undefined;
  }
}

function areEqual(method: AnyMethod, one: Form, other: Form): boolean {
  if (isDeepStrictEqual(one, other)) return true;
  if (randomOrder.has(`${method.service}/${method.name}`)) {
    return isDeepStrictEqual(withSortedLists(one), withSortedLists(other));
  }
  return isDeepStrictEqual(withJsonValues(method.response, one), withJsonValues(method.response, other));
}

function claim(counts: Counts, log: (line: string) => void, name: string, good: boolean, place: string): void {
  counts.add(name, good);
  if (!good) log(`not ${name}: ${place}`);
}

import { connect, type Connection, HubError, publicNaming, type RpcClient, type Transport } from '@hubwatch/client';
import { createRpcClient } from '@hubwatch/client/rpc';
import { chainFolder, on, type QueryHandler, startDevnode, StateHistory } from '@hubwatch/devnode';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { queryLease } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { decodeBinary } from '@hubwatch/types/runtime/binary';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { readBlocks } from './recordings.js';
import { type Asking, type Question, questions } from './truth-questions.js';

/** Questions that other clients have answered wrongly are answered correctly over every transport. */
export const truth: Proof = {
  name: 'truth',
  about:
    'Questions that clients answer wrongly without a sign are answered rightly or refused with the right code, over every transport of a simulated node.',
  run: async (options) => outcomeOf(await askAll(), options),
};

const ways = ['grpc', 'rest', 'abci', 'POST', 'URI'] as const;
type Way = (typeof ways)[number];

/**
 * `right`: the answer is true, or the refusal states the reason. `refused`: a correct refusal. `WRONG`: wrong, with or
 * without an error.
 */
export type Verdict = 'right' | 'refused' | 'WRONG';

export interface Row {
  readonly question: Question;
  readonly verdicts: Readonly<Partial<Record<Way, Verdict>>>;
  readonly wrong: readonly string[];
}

const height = 903_290n;

/** Asks every question over every transport. */
export async function askAll(): Promise<Row[]> {
  const folder = chainFolder('chain');
  const state = new StateHistory(folder).at(Number(height));
  const node = await startDevnode({
    mode: 'moving',
    chain: 'chain',
    from: 904_600,
    speed: 'manual',
    shiftTo: 'none',
    answers: [largeLease()],
  });
  const hub = connect({ grpc: node.grpc, rest: node.rest, rpc: node.rpc, naming: publicNaming });
  const uri = createRpcClient({ address: node.rpc, naming: publicNaming, form: 'uri' });
  const tx = firstTx(folder);
  const held = {
    all: {},
    pruned: { firstState: 902_500, firstBlock: 902_100 },
    starting: { starting: true },
    stopped: { lastBlock: 904_400, upgrade: { name: 'v13', height: 904_400 } },
  };
  try {
    const rows: Row[] = [];
    for (const question of questions) {
      node.hold(held[question.node ?? 'all']);
      const verdicts: Partial<Record<Way, Verdict>> = {};
      const wrong: string[] = [];
      for (const way of question.over === 'query' ? (['grpc', 'rest', 'abci'] as const) : (['POST', 'URI'] as const)) {
        const asking: Asking = {
          transport: transportOf(hub, way),
          hub: rpcOf(hub, way === 'URI' ? uri : hub.rpc),
          height,
          state,
          tx,
        };
        const { verdict, text } = await verdictOf(question, asking, way);
        verdicts[way] = verdict;
        if (verdict === 'WRONG') wrong.push(`${question.asks}, over ${way}: ${text}`);
      }
      rows.push({ question, verdicts, wrong });
    }
    return rows;
  } finally {
    await hub.close();
    await node.close();
  }
}

function transportOf(hub: Asking['hub'], way: Way): Transport<'grpc'> {
  return (way === 'grpc' || way === 'rest' ? hub[way] : hub.abci) as Transport<'grpc'>;
}

function rpcOf(hub: Connection<{ grpc: string; rest: string; rpc: string }>, rpc: RpcClient): Asking['hub'] {
  return { ...hub, rpc };
}

async function verdictOf(question: Question, asking: Asking, way: Way): Promise<{ verdict: Verdict; text: string }> {
  const right =
    question.rest !== undefined && way === 'rest' ? `refused: ${question.rest}` : String(question.truth(asking));
  let got: string;
  try {
    got = textOf(await question.answer(asking));
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    got = `refused: ${error.code}`;
  }
  if (got !== right) return { verdict: 'WRONG', text: `${got} where ${right} is true` };
  return { verdict: got.startsWith('refused: ') ? 'refused' : 'right', text: got };
}

function textOf(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return typeof answer === 'bigint' || typeof answer === 'number' || answer === undefined ? `${answer}` : 'an answer';
}

/** A lease with numbers that a double cannot represent; the recorded ones are small. */
function largeLease(): QueryHandler {
  const lease = decodeBinary(Lease, new Uint8Array(0));
  const recorded = new StateHistory(chainFolder('chain'));
  return on(queryLease, ({ id }, { height: at, forms }) => {
    if (id === 9007199254740993n) return { lease: { ...lease, id, maxHours: 9007199254740995n } };
    const found = recorded.at(at).leases.find((record) => record['id'] === String(id));
    return { lease: found === undefined ? undefined : forms.of(Lease, found) };
  });
}

/** The first recorded transaction that failed, which only its code shows. */
function firstTx(folder: string): Asking['tx'] {
  for (const { height: at, txs } of readBlocks(folder)) {
    for (const { hash, ...tx } of txs) {
      const { code } = tx as unknown as { code: number };
      if (code !== 0) return { hash, height: String(at), code: String(code) };
    }
  }
  throw new Error('the recording has no transaction that failed');
}

function outcomeOf(rows: readonly Row[], { log }: ProofOptions): ProofOutcome {
  const wrong = rows.flatMap((row) => row.wrong);
  const verdicts = rows.flatMap((row) => Object.values(row.verdicts));
  for (const line of truthTable(rows)) log(line);
  for (const line of wrong) log(line);
  const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  return {
    passed: verdicts.length - count('WRONG'),
    total: verdicts.length,
    counterExample: wrong[0],
    figures: {
      questions: rows.length,
      right: count('right'),
      'rightly refused': count('refused'),
      wrong: count('WRONG'),
    },
  };
}

/** The rows in the format of docs/truth.md. */
export function truthTable(rows: readonly Row[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const body = rows.map(({ question, verdicts }) => line([question.asks, ...ways.map((way) => verdicts[way] ?? '')]));
  return [
    line(['Question', 'gRPC', 'REST', 'abci_query', 'RPC POST', 'RPC URI']),
    line(['---', '---', '---', '---', '---', '---']),
    ...body,
  ];
}

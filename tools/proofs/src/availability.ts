import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type HubError, publicNaming } from '@hubwatch/client';
import { generate, readSpec, type Spec, type TransportKind } from '@hubwatch/codegen';
import { allMethods } from '@hubwatch/types/gen/methods/all';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { compileCalls, judge, type Pair, pairsOf, repositoryRoot, typesSource } from './availability-types.js';
import { Counts } from './counts.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { RandomSource } from './random-source.js';

/** Methods that the chain does not serve can neither be compiled nor sent. */
export const availability: Proof = {
  name: 'availability',
  about:
    'Every unserved pair of the spec fails to compile with its reason and is refused before a request, every served one compiles, and a changed line of the spec fails exactly its own test.',
  defaultRuns: 1,
  run: prove,
};

async function prove({ seed, runs = 1, log }: ProofOptions): Promise<ProofOutcome> {
  const spec = await readSpec(repositoryRoot);
  const pairs = pairsOf(spec);
  const counts = new Counts();
  const problems: string[] = [];
  const check = (claim: string, place: string, problem: string | undefined): void => {
    counts.add(claim, problem === undefined);
    if (problem === undefined) return;
    problems.push(`${claim}, ${place}: ${problem}`);
    if (problems.length <= 20) log(problems.at(-1) as string);
  };

  const said = compileCalls(pairs, typesSource);
  for (const pair of pairs) {
    const claim = pair.gap ? 'unserved pairs fail to compile with their sentence' : 'served pairs compile';
    check(claim, pair.name, judge(pair, said.get(pair.name)));
  }
  await refuseUnserved(pairs, check);
  const random = new RandomSource(seed);
  for (let run = 0; run < runs; run++) {
    const mutation = mutate(spec, pairs, random);
    const failing = await failingTests(pairs, mutation);
    const wanted = [mutation.closed.name, mutation.opened.name].sort();
    const problem = String(failing) === String(wanted) ? undefined : `failing are ${failing.join(', ') || 'none'}`;
    check('changes of the spec that fail exactly the dependent tests', wanted.join(' and '), problem);
  }
  const total = Object.values(counts.figures()).reduce((sum, figure) => sum + Number(figure.split(' of ')[1]), 0);
  return {
    passed: total - problems.length,
    total,
    counterExample: problems[0],
    figures: { methods: new Set(pairs.map(({ service, method }) => `${service}/${method}`)).size, ...counts.figures() },
  };
}

type Check = (claim: string, place: string, problem: string | undefined) => void;

/** Calls every unserved pair against a port that counts connections. */
async function refuseUnserved(pairs: readonly Pair[], check: Check): Promise<void> {
  let knocks = 0;
  const server = createServer((socket) => {
    knocks++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const [grpc, http] = [`127.0.0.1:${port}`, `http://127.0.0.1:${port}`];
  const connection = connect({ grpc, rest: http, rpc: http, naming: publicNaming, timeoutMs: 2000 });
  const methods = new Map(allMethods.map((method) => [`${method.service}/${method.name}`, method]));
  /** Makes the call like plain JavaScript, with an object as the request. */
  const refusal = async ({ service, method, kind }: Pair): Promise<HubError | undefined> => {
    const transport = connection[kind] as { call(method: AnyMethod | undefined, request: object): Promise<unknown> };
    return transport.call(methods.get(`${service}/${method}`), {}).then(
      () => undefined,
      (error: unknown) => error as HubError,
    );
  };
  try {
    for (const pair of pairs.filter(({ gap }) => gap !== undefined)) {
      const error = await refusal(pair);
      const isSaid = error?.code === 'not_served' && error.message.includes(pair.gap?.reason ?? '');
      const problem = isSaid ? (knocks === 0 ? undefined : 'a request was made') : `it ends with ${String(error)}`;
      check('unserved pairs refused as not_served before any request', pair.name, problem);
    }
    for (const kind of ['grpc', 'rest', 'abci'] as const) {
      const before = knocks;
      const served = pairs.find((pair) => pair.kind === kind && pair.gap === undefined) as Pair;
      const error = await refusal(served);
      const problem = error?.code !== 'not_served' && knocks > before ? undefined : 'no request was made';
      check('served pairs that do reach the port, one a transport', served.name, problem);
    }
  } finally {
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Mutation {
  /** Served by the node, removed from the changed spec. */
  readonly closed: Pair;
  /** Not served by the node, but served in the changed spec. */
  readonly opened: Pair;
}

/** Picks one served and one unserved pair. The served one is not named as the replacement of another pair. */
function mutate({ availability: { unserved } }: Spec, pairs: readonly Pair[], random: RandomSource): Mutation {
  const replacing = new Set(
    pairs.flatMap(({ service, method, gap }) => {
      const { method: other, over = [], same_method_over: same = [] } = gap?.replacement ?? {};
      return (other === undefined ? same : over).map((kind) => `${other ?? `${service}/${method}`} ${kind}`);
    }),
  );
  const isAlone = (gap: Pair['gap']): boolean => pairs.filter((pair) => pair.gap === gap).length === 1;
  const served = (pair: Pair, kind: TransportKind): boolean =>
    pairs.some(({ name, gap }) => name === `${pair.service}/${pair.method} ${kind}` && gap === undefined);
  return {
    closed: random.pick(
      pairs.filter(
        (pair) => pair.gap === undefined && !replacing.has(pair.name) && pair.kind !== 'grpc' && served(pair, 'grpc'),
      ),
    ),
    // A gap that no pair refers to any more is a separate error.
    opened: random.pick(
      pairs.filter(({ gap }) => gap !== undefined && !isAlone(gap) && Object.values(unserved).includes(gap)),
    ),
  };
}

/** Names of the type tests that fail against types generated from the changed spec. */
async function failingTests(pairs: readonly Pair[], { closed, opened }: Mutation): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'hubwatch-availability-'));
  try {
    cpSync(join(repositoryRoot, 'proto'), join(root, 'proto'), { recursive: true });
    cpSync(join(repositoryRoot, 'hubwatch-codegen.yml'), join(root, 'hubwatch-codegen.yml'));
    const source = join(root, 'packages/types/src');
    cpSync(join(typesSource, 'runtime'), join(source, 'runtime'), { recursive: true });
    // This package.json declares the files to be modules.
    cpSync(join(typesSource, '../package.json'), join(source, '../package.json'));
    const path = join(root, 'proto/spec/availability.yaml');
    let text = setLine(readFileSync(path, 'utf8'), opened, 'served');
    text = setLine(text, closed, 'gone-for-a-test');
    const gap = [
      '  gone-for-a-test:',
      '    kind: unimplemented',
      '    reason: is gone for a test',
      '    replacement: { same_method_over: [grpc] }',
      '    documented: silent',
      '    observed: nowhere',
    ];
    writeFileSync(path, text.replace('unserved:\n', `unserved:\n${gap.join('\n')}\n`));
    await generate({ root, lock: true });
    const said = compileCalls(pairs, source);
    return pairs
      .filter((pair) => judge(pair, said.get(pair.name)) !== undefined)
      .map(({ name }) => name)
      .sort();
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Replaces the availability word on the line of a pair in the spec's text. */
function setLine(text: string, { service, method, kind, name }: Pair, word: string): string {
  const from = text.indexOf(`\n    ${method}:\n`, text.indexOf(`\n  ${service}:\n`, text.indexOf('\nservices:\n')));
  const start = text.indexOf(`\n      ${kind}: `, from);
  const end = text.indexOf('\n', start + 1);
  if (from < 0 || start < 0) throw new Error(`availability.yaml has no line for ${name}`);
  return `${text.slice(0, start)}\n      ${kind}: ${word}${text.slice(end)}`;
}

import { compareValues, type Pages } from './dashboards/equal-values.js';
import { serveFullPage } from './dashboards/full-page.js';
import { type Asking, judgePanel } from './dashboards/judge-panel.js';
import { type ShownPanel, shownPanels, shownVariables, withValues } from './dashboards/shown-queries.js';
import { optionsOf } from './dashboards/variable-options.js';
import { startWatchedWorld, type WatchedWorld } from './dashboards/watched-world.js';
import type { Proof, ProofOutcome } from './proof.js';
import { eventually } from './programs/eventually.js';
import { parseExposition } from './programs/exposition.js';
import { type Prometheus, startPrometheus } from './programs/prometheus.js';

/** Values of the variables without a selection. */
const all = { job: 'hubwatch', instance: '.*', node: '.*', provider: '.*', account: '.*', endpoint: '.*' };

/** Proves that Prometheus, scraping real daemons, answers every query in the shipped Grafana dashboards. */
export const dashboards: Proof = {
  name: 'dashboards',
  about: 'a real Prometheus answers every query of the Grafana dashboards, with the values that /metrics shows',
  async run({ log }) {
    const closers: (() => Promise<void>)[] = [];
    try {
      const panels = shownPanels();
      const world = await startWatchedWorld();
      closers.unshift(() => world.close());
      // The metrics of a daemon before its first round depend on timing.
      await world.advance(1);
      const full = await serveFullPage(panels);
      closers.unshift(() => full.close());
      const prometheus = await startPrometheus([
        { job: 'hubwatch', targets: world.targets },
        { job: 'full', targets: [full.target] },
      ]);
      closers.unshift(() => prometheus.close());
      return await judge(panels, await play(world, prometheus), prometheus, log);
    } finally {
      for (const close of closers) await close();
    }
  },
};

/** The simulated run, with /metrics pages from around its last scrape. */
interface Played {
  /** Values of the variables; the time range covers the whole run. */
  readonly values: Readonly<Record<string, string>>;
  readonly pages: readonly Pages[];
  /** Pages at the start of the time range, in the order of the targets. */
  readonly first: readonly string[];
  readonly atMs: number;
}

/** Advances the world through events and waits until Prometheus has scraped them. */
async function play(world: WatchedWorld, prometheus: Prometheus): Promise<Played> {
  await untilSeen(world, prometheus);
  const beganMs = await afterScrapes(prometheus);
  const first = await Promise.all(world.targets.map((target) => world.page(target)));
  await world.fail(true);
  await world.advance(40);
  await untilSeen(world, prometheus);
  await world.fail(false);
  for (const blocks of [40, 1, 1]) {
    world.prune(20);
    // Finding the lowest state takes several rounds.
    for (const more of [blocks, 0, 0]) await world.advance(more);
  }
  await untilBoundsAreExact(world);
  await untilSeen(world, prometheus);
  const before = await Promise.all(world.targets.map((target) => world.page(target)));
  const atMs = await afterScrapes(prometheus);
  const pages = await Promise.all(
    world.targets.map(async (target, index) => ({
      ...{ target, before: before[index] ?? '', after: await world.page(target) },
    })),
  );
  // The range starts before the first event.
  const seconds = Math.ceil((atMs - beganMs) / 1_000);
  const range = { __range: `${seconds}s`, __range_s: String(seconds), __rate_interval: `${seconds}s` };
  return { pages, first, atMs, values: { ...all, ...range } };
}

/** Polls until every daemon has located the lowest state exactly: on a busy machine a search takes more rounds. */
async function untilBoundsAreExact(world: WatchedWorld): Promise<void> {
  await eventually('the lowest state of an endpoint', async () => {
    const pages = await Promise.all(world.targets.map((target) => world.page(target)));
    if (pages.every((page) => /^hub_endpoint_earliest_state_timestamp_seconds\{/m.test(page))) return true;
    await world.advance(0);
    return undefined;
  });
}

/** Waits until Prometheus has the head of the chain from every daemon. */
async function untilSeen(world: WatchedWorld, prometheus: Prometheus): Promise<void> {
  await eventually('Prometheus knows the head', async () => {
    const heads = await prometheus.query('hub_head_height{job="hubwatch"}').catch(() => []);
    const isSeen = heads.length === world.targets.length && heads.every(({ value }) => value === world.height());
    return isSeen ? true : undefined;
  });
}

/** Waits until every target was scraped twice from now on, and returns the time after that. */
function afterScrapes(prometheus: Prometheus): Promise<number> {
  const beganSeconds = Date.now() / 1_000;
  return eventually('Prometheus scraped twice', async () => {
    const atMs = Date.now();
    const scrapes = await prometheus.query('timestamp(up)', atMs).catch(() => []);
    const isSeen = scrapes.length > 0 && scrapes.every(({ value }) => value > beganSeconds + 1);
    return isSeen ? atMs : undefined;
  });
}

async function judge(
  panels: readonly ShownPanel[],
  played: Played,
  prometheus: Prometheus,
  log: (line: string) => void,
): Promise<ProofOutcome> {
  const { pages, atMs, values } = played;
  const parts = {
    'with the values of a played chain': await judgePanels(panels, { prometheus, atMs, values }),
    'with every metric': await judgePanels(panels, {
      ...{ prometheus, atMs, values: { ...values, job: 'full' }, isFull: true },
    }),
    'with two monitors as with one': await judgeAlike(panels, pages, { prometheus, atMs, values }),
    'income to the unit': await judgeIncome(panels, played, prometheus),
    'values of /metrics': await judgeValues(panels, pages, prometheus, atMs),
    'template variables': await judgeVariables(prometheus),
  };
  let passed = 0;
  let total = 0;
  for (const [name, { count, wrong }] of Object.entries(parts)) {
    log(`  ${name}: ${count - wrong.length} of ${count}`);
    wrong.forEach((line) => log(`    ${line}`));
    passed += count - wrong.length;
    total += count;
  }
  const { empty } = parts['with the values of a played chain'];
  const queries = panels.flatMap((panel) => panel.queries);
  return {
    ...{ passed, total, counterExample: Object.values(parts).flatMap(({ wrong }) => wrong)[0] },
    figures: { panels: panels.length, queries: queries.length, 'empty on the played chain': empty.length },
  };
}

interface Part {
  readonly count: number;
  readonly wrong: readonly string[];
}

async function judgePanels(
  panels: readonly ShownPanel[],
  asking: Omit<Asking, 'isFull'> & { readonly isFull?: boolean },
): Promise<Part & { readonly empty: readonly string[] }> {
  const wrong: string[] = [];
  const empty: string[] = [];
  for (const panel of panels) {
    const found = await judgePanel(panel, { isFull: false, ...asking });
    wrong.push(...found.wrong.slice(0, 1));
    empty.push(...found.empty);
  }
  return { count: panels.length, wrong, empty };
}

/** Checks that queries about the chain return the same result for one monitor and for two. */
async function judgeAlike(
  panels: readonly ShownPanel[],
  pages: readonly Pages[],
  { prometheus, atMs, values }: Omit<Asking, 'isFull'>,
): Promise<Part> {
  const wrong: string[] = [];
  let count = 0;
  for (const panel of panels) {
    for (const { refId, expr } of panel.queries) {
      if (!isAboutChain(expr)) continue;
      const asked = (instance: string) =>
        prometheus
          .query(withValues(expr, { ...values, instance }), atMs)
          .then(textOf, (error: unknown) => (error as Error).message);
      const both = await asked('.*');
      if (both.includes('"instance":')) continue;
      count++;
      for (const { target } of pages)
        if ((await asked(target)) !== both) wrong.push(`${panel.name}, ${refId}: another answer by ${target} alone`);
    }
  }
  return { count, wrong };
}

/** Excludes rates and increases since a time before the first scrape, because they depend on the scrape times. */
const isAboutChain = (expr: string): boolean =>
  !/\b(?:up|(?:process|nodejs|scrape|hubwatch)_\w+)\{|rate\(|offset 1[hd]/.test(
    expr.replaceAll(/hubwatch_build_info\{[^}]*\}/g, ''),
  );

const textOf = (samples: Awaited<ReturnType<Prometheus['query']>>): string =>
  samples
    .map(({ metric, value }) => JSON.stringify([metric, value]))
    .sort()
    .join('\n');

/** Checks that the income in a panel equals the increase of the counters on the page. */
async function judgeIncome(
  panels: readonly ShownPanel[],
  { pages, first, atMs, values }: Played,
  prometheus: Prometheus,
): Promise<Part> {
  const shown = panels.find(({ name }) => name === 'hubwatch-overview: Received by nodes today')?.queries[0];
  if (shown === undefined) return { count: 1, wrong: ['no panel shows the income of today'] };
  const wrong: string[] = [];
  for (const [index, { target, after }] of pages.entries()) {
    const gain = receivedOn(after) - receivedOn(first[index] ?? '');
    const answer = await prometheus.query(withValues(shown.expr, { ...values, instance: target }), atMs);
    const sum = answer.reduce((all, { value }) => all + value, 0);
    if (gain <= 0 || sum !== gain) wrong.push(`the counters of ${target} gained ${gain}, and the panel shows ${sum}`);
  }
  return { count: pages.length, wrong };
}

const receivedOn = (page: string): number =>
  [...parseExposition(page)]
    .filter(([key]) => key.startsWith('hub_node_received_amount_total{'))
    .reduce((all, [, value]) => all + value, 0);

async function judgeValues(
  panels: readonly ShownPanel[],
  pages: readonly Pages[],
  prometheus: Prometheus,
  atMs: number,
): Promise<Part> {
  const queries = panels.flatMap((panel) => panel.queries);
  const names = new Set(
    queries.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:hub|hubwatch|process|nodejs)_\w+(?=\{)/g)].map(([name]) => name),
    ),
  );
  const compared = await Promise.all(pages.map((page) => compareValues([...names], page, prometheus, atMs)));
  const wrong = compared.flatMap((one) => one.wrong);
  return { count: compared.reduce((sum, { equal }) => sum + equal, 0) + wrong.length, wrong };
}

/** Checks that each variable has options, and that those of nodes and accounts show an alias. */
async function judgeVariables(prometheus: Prometheus): Promise<Part> {
  const wrong: string[] = [];
  const variables = shownVariables();
  for (const variable of variables) {
    const options = await optionsOf(variable, prometheus, all);
    const isNamed = !/: (?:node|account)$/.test(variable.name) || options.some(({ text, value }) => text !== value);
    if (options.length === 0 || !isNamed) wrong.push(`${variable.name}: ${JSON.stringify(options.slice(0, 3))}`);
  }
  return { count: variables.length, wrong };
}

import { firstHeight } from '@hubwatch/client';
import { isExact } from '../../endpoints/state-search.js';
import { counted } from '../../words.js';
import type { StateFacts } from '../diagnosis.js';
import { wayTitles } from '../subject.js';
import type { FindingRule } from './finding.js';

/** Number of states that a node keeps by default. @source proto/spec/limits.yaml, state_retention */
const usualStates = 362_880n;

/** The likely pruning setting, by the number of states; between two runs there are some more. */
const pruningWords = (states: bigint): string => {
  if (states <= 12n) return 'pruning is probably `everything`';
  if (states >= usualStates && states <= usualStates + 20n) return 'pruning is probably `default`';
  return `pruning is probably \`custom\` with \`pruning-keep-recent\` of about ${states - (states % 10n)}, or the node started from a snapshot`;
};

/** The state that reaches back furthest. */
const deepest = (states: readonly StateFacts[]): StateFacts | undefined =>
  states
    .filter(({ bracket, stopped }) => stopped === undefined || bracket.held < bracket.newest)
    .toSorted((a, b) => Number(a.bracket.held - b.bracket.held))[0];

export const statePruned: FindingRule = {
  id: 'state-pruned',
  find({ states, engine }) {
    const found = deepest(states);
    if (found === undefined || found.bracket.held <= firstHeight) return undefined;
    const { held } = found.bracket;
    const about = isExact(found.bracket) ? '' : 'about ';
    const blocks =
      engine?.firstBlock !== undefined && engine.firstBlock < held
        ? ` although blocks start at ${engine.firstBlock}`
        : '';
    const kept = found.newest - held + 1n;
    return {
      says: `State starts at ${about}${held}${blocks}: ${pruningWords(kept)}`,
      advice: `Reads of older heights fail. To retain more from now on, raise \`pruning-keep-recent\` with \`pruning = "custom"\` in app.toml (\`pruning = "nothing"\` keeps all). Pruned states cannot be restored: use an archive node for heights below ${held}.`,
    };
  },
};

/** Transports of one node whose history differs. */
export const statesDiffer: FindingRule = {
  id: 'states-differ',
  find({ states }) {
    const exact = states.filter(({ bracket, stopped }) => stopped === undefined && isExact(bracket));
    const [low, ...others] = exact.toSorted((a, b) => Number(a.bracket.held - b.bracket.held));
    const high = others.at(-1);
    if (low === undefined || high === undefined || high.bracket.held - low.bracket.held <= 1_000n) return undefined;
    return {
      says: `State starts at ${low.bracket.held} over ${wayTitles[low.way]} and at ${high.bracket.held} over ${wayTitles[high.way]}`,
      advice:
        'The addresses belong to different nodes, or to a proxy with several nodes behind it. Use the addresses of one node.',
    };
  },
};

export const depthsMissing: FindingRule = {
  id: 'required-state-missing',
  find({ states }) {
    const lacking = states.flatMap(({ way, depths }) =>
      [...depths].flatMap(([depth, state]) => (state === 'not_held' ? [{ depth, title: wayTitles[way] }] : [])),
    );
    if (lacking.length === 0) return undefined;
    const depths = [...new Set(lacking.map(({ depth }) => String(depth)))];
    return {
      says: `The state ${depths.join(', ')} blocks before the latest is missing, but the configuration requires it (${[...new Set(lacking.map(({ title }) => title))].join(', ')})`,
      advice: `Raise \`pruning-keep-recent\` in app.toml above ${depths.at(-1) ?? ''}, or require less.`,
    };
  },
};

export const blocksMissing: FindingRule = {
  id: 'blocks-pruned',
  find({ engine }) {
    if (engine?.firstBlock === undefined || engine.firstBlock <= firstHeight) return undefined;
    return {
      says: `Blocks start at ${engine.firstBlock}, ${engine.firstBlock - firstHeight} after the first of the chain`,
      advice:
        'Read the ledger of earlier times from another node. To retain more from now on, set `min-retain-blocks = 0` in app.toml; a node that started from a snapshot has no older blocks.',
    };
  },
};

export const boundUnknown: FindingRule = {
  id: 'state-bound-unknown',
  find({ states, ways }) {
    // A node without a block has no history yet.
    if ([...ways.values()].some(({ failure }) => failure?.code === 'starting')) return undefined;
    const unclear = states.filter(({ stopped }) => stopped === 'unclear');
    if (unclear.length === 0) return undefined;
    return {
      says: `The first retained state is unknown over ${unclear.map(({ way }) => wayTitles[way]).join(' and ')}: a request of the search was not answered`,
      advice:
        'Try again later. A rate limit, slow historical reads or several nodes behind one name can end the search.',
    };
  },
};

export const indexOff: FindingRule = {
  id: 'index-off',
  find: ({ engine }) =>
    engine?.index.state === 'off'
      ? {
          says: 'The transaction index is off: transactions cannot be found by hash or events',
          advice:
            'Set `indexer = "kv"` in the `[tx_index]` section of config.toml and restart; blocks from then on are indexed.',
        }
      : undefined,
};

export const indexDeaf: FindingRule = {
  id: 'index-not-searchable',
  find: ({ engine }) =>
    engine?.index.state === 'not_searchable'
      ? {
          says: 'The transaction index is reported as on but cannot be searched, as with `indexer = "psql"`',
          advice: 'Query the database, or set `indexer = "kv"` in the `[tx_index]` section of config.toml.',
        }
      : undefined,
};

/** Number of blocks that an index may lag. */
const usualIndexLag = 10n;

export const indexBehind: FindingRule = {
  id: 'index-behind',
  find({ engine }) {
    const lag = engine?.index.lag;
    if (lag === undefined || (typeof lag === 'bigint' && lag <= usualIndexLag)) return undefined;
    return {
      says: `The index lacks ${lag === 'none_found' ? 'the latest thousand blocks or more' : `up to ${counted(Number(lag), 'latest block')}`}`,
      advice:
        'An index that was just enabled starts at that block. If it stays behind, the disk is too slow or the event bus is blocked: restart the node.',
    };
  },
};

export const indexShort: FindingRule = {
  id: 'index-short',
  find: ({ engine }) =>
    engine?.index.reachesFirst === false
      ? {
          says: `The index does not reach back to the oldest block ${engine.firstBlock ?? ''}`.trimEnd(),
          advice: 'Find transactions from before the index was enabled in their blocks.',
        }
      : undefined,
};

export const resultsMissing: FindingRule = {
  id: 'results-not-kept',
  find: ({ engine }) =>
    engine?.keepsResults === false
      ? {
          says: 'Block results are not stored, so the ledger of payouts cannot be read from this node',
          advice: 'Set `discard_abci_responses = false` in the `[storage]` section of config.toml and restart.',
        }
      : undefined,
};

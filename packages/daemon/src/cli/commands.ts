import { exitCodes } from './exit-codes.js';

/** Options of all commands: the value they take, or `flag`. */
export const optionKinds = {
  config: 'FILE',
  grpc: 'HOST:PORT',
  rest: 'URL',
  rpc: 'URL',
  naming: 'NAME',
  'chain-id': 'ID',
  timeout: 'TIME',
  transport: 'NAME',
  json: 'flag',
  for: 'TIME',
  rule: 'NAME',
  subject: 'ADDRESS',
  comment: 'TEXT',
  by: 'KEYS',
  since: 'WHEN',
  until: 'WHEN',
  format: 'NAME',
  entries: 'flag',
  verbose: 'flag',
  from: 'HEIGHT',
  to: 'HEIGHT',
  limit: 'BLOCKS',
} as const;

export type OptionName = keyof typeof optionKinds;

interface Command {
  /** Lines of the help text. */
  readonly help: string;
  readonly options: readonly OptionName[];
}

const endpoint = ['config', 'grpc', 'rest', 'rpc', 'naming', 'timeout'] as const;

/** Every command, in the order of the help text. */
export const commands = {
  run: {
    options: ['config'],
    help: `
  hubwatch run --config FILE      watch what FILE says until SIGTERM or SIGINT`,
  },
  check: {
    options: ['config', 'rule', 'timeout', 'verbose'],
    help: `
  hubwatch check --config FILE [ENDPOINT|ADDRESS|ALIAS ...] [--rule NAME,NAME] [--timeout 50s] [--verbose]
                                  one round beside or without the daemon, as a monitoring plugin: a line HUBWATCH OK and
                                  performance data; exit codes: 0 ok, 1 warning, 2 critical, 3 unknown.
                                  It knows one moment: what the daemon would hold back for some minutes, it tells at once`,
  },
  probe: {
    options: [...endpoint, 'transport'],
    help: `
  hubwatch probe ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
      [--naming auto|public|neutral] [--transport grpc|rest|rpc] [--timeout 5s]
                                  one question over each transport, a line of key=value pairs for each;
                                  exit codes: 0 all answered, 1 one did not, 2 wrong use, 3 configuration`,
  },
  doctor: {
    options: [...endpoint, 'chain-id', 'json'],
    help: `
  hubwatch doctor ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
                                  look at an endpoint: what it serves, how far back it remembers, what differs from
                                  the interface, and what to do; a HOST is asked at the usual ports 9090, 1317, 26657
      [--chain-id ID] [--naming auto|public|neutral] [--timeout 5s] [--json]
      at most 120 requests, and nothing but reads; exit codes: 0 nothing to advise, 1 advice, 2 nothing answered or
      wrong use, 3 configuration`,
  },
  ledger: {
    options: ['config', 'by', 'since', 'until', 'format', 'entries'],
    help: `
  hubwatch ledger --config FILE   what watched nodes, providers and accounts were paid, what they paid, and what is missing;
      [--by year,month,day,kind,end,node,provider,account,denom] [--since WHEN] [--until WHEN]
      [--format text|csv|json] [--entries]
      end: what made a refund due; WHEN: 2026-11-27 (the whole day, UTC), 2026-11-27T23:00:00Z, or back from now: 36h, 7d`,
  },
  'ledger backfill': {
    options: ['config', 'from', 'to', 'limit'],
    help: `
  hubwatch ledger backfill --config FILE [--from HEIGHT] [--to HEIGHT] [--limit BLOCKS]
                                  fill it with what was before, found by the index of an endpoint; may be broken off`,
  },
  'check-config': {
    options: ['config'],
    help: `
  hubwatch check-config FILE      say whether FILE can be used; every problem with its line`,
  },
  'test-notify': {
    options: ['config'],
    help: `
  hubwatch test-notify --config FILE
                                  send a test notice to every recipient of every channel; exit codes: 0 all accepted,
                                  1 one was not, or nobody is configured`,
  },
  'silence add': {
    options: ['config', 'for', 'rule', 'subject', 'comment'],
    help: `
  hubwatch silence add --config FILE --for 2h [--rule NAME] [--subject ADDRESS|ALIAS] --comment TEXT
                                  keep notices back for a while; the daemon need not be restarted`,
  },
  'silence list': {
    options: ['config'],
    help: `
  hubwatch silence list --config FILE`,
  },
  'silence end': {
    options: ['config'],
    help: `
  hubwatch silence end ID --config FILE`,
  },
  version: {
    options: [],
    help: `
  hubwatch version                print the version`,
  },
} as const satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commands;

/** Words that a command line may begin with. */
export const firstWords: readonly string[] = [
  ...new Set(Object.keys(commands).map((name) => name.split(' ')[0] ?? '')),
];

const named = (first: string | undefined): readonly Command[] =>
  Object.entries(commands).flatMap(([name, command]) =>
    first !== undefined && (name === first || name.startsWith(`${first} `)) ? [command] : [],
  );

/** The command that the first words of a command line name; `undefined` for none, and where a second word is missing. */
export const commandOf = ([first, second]: readonly string[]): CommandName | undefined =>
  (Object.keys(commands) as CommandName[])
    .toSorted((a, b) => b.length - a.length)
    .find((name) => name === `${first} ${second}` || name === first);

/** Exit codes of commands that name none of their own. */
export const exitCodeText = `Exit codes of commands that name none of their own: ${exitCodes.done} done or stopped on request; ${exitCodes.failed} could not start
or failed while running; ${exitCodes.usage} wrong use of the command line; ${exitCodes.config} the configuration cannot be used.
`;

const tail = `
  hubwatch COMMAND --help         the lines of one command
  hubwatch --help                 this text
  hubwatch --version              print the version

-c is short for --config, -v for --verbose, -V for --version.
`;

/** The help text of all commands, or of those that begin with a word. */
export const helpOf = (first?: string): string => {
  const shown = named(first);
  const all = shown.length === 0;
  const text = (all ? Object.values(commands) : shown).map(({ help }) => help).join('');
  return all ? `usage: hubwatch COMMAND\n${text}${tail}${exitCodeText}` : `usage:\n${text}\n\n${exitCodeText}`;
};

/** What stands below a message about wrong use: the lines of the command that was meant, or where all of them are told. */
export const usageOf = (first: string | undefined): string => {
  const shown = named(first);
  return shown.length === 0
    ? 'hubwatch --help tells what they do.\n'
    : `usage:\n${shown.map(({ help }) => help).join('')}\n`;
};

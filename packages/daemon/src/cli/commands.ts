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
  hubwatch run --config FILE      run the daemon with FILE until SIGTERM or SIGINT`,
  },
  check: {
    options: ['config', 'rule', 'timeout', 'verbose'],
    help: `
  hubwatch check --config FILE [ENDPOINT|ADDRESS|ALIAS ...] [--rule NAME,NAME] [--timeout 50s] [--verbose]
                                  run one round as a monitoring plugin, with or without the daemon: a line HUBWATCH OK and
                                  performance data; exit codes: 0 ok, 1 warning, 2 critical, 3 unknown.
                                  It checks a single moment and reports at once what the daemon would hold for some minutes`,
  },
  probe: {
    options: [...endpoint, 'transport'],
    help: `
  hubwatch probe ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
      [--naming auto|public|neutral] [--transport grpc|rest|rpc] [--timeout 5s]
                                  send one request over each transport, and print a line of key=value pairs for each;
                                  exit codes: 0 all answered, 1 one did not, 2 usage error, 3 configuration`,
  },
  doctor: {
    options: [...endpoint, 'chain-id', 'json'],
    help: `
  hubwatch doctor ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
                                  examine an endpoint: what it serves, its history, how it differs from
                                  the interface, and what to do; a HOST is tried at the default ports 9090, 1317, 26657
      [--chain-id ID] [--naming auto|public|neutral] [--timeout 5s] [--json]
      at most 120 requests, read-only; exit codes: 0 no advice, 1 advice, 2 no answer or usage
      error, 3 configuration`,
  },
  ledger: {
    options: ['config', 'by', 'since', 'until', 'format', 'entries'],
    help: `
  hubwatch ledger --config FILE   print income, payments and gaps of watched nodes, providers and accounts;
      [--by year,month,day,kind,end,node,provider,account,denom] [--since WHEN] [--until WHEN]
      [--format text|csv|json] [--entries]
      end: reason of a refund; WHEN: 2026-11-27 (the whole day, UTC), 2026-11-27T23:00:00Z, or before now: 36h, 7d`,
  },
  'ledger backfill': {
    options: ['config', 'from', 'to', 'limit'],
    help: `
  hubwatch ledger backfill --config FILE [--from HEIGHT] [--to HEIGHT] [--limit BLOCKS]
                                  add earlier events, found by the index of an endpoint; can be interrupted`,
  },
  'check-config': {
    options: ['config'],
    help: `
  hubwatch check-config FILE      check FILE and print every problem with its line`,
  },
  'test-notify': {
    options: ['config'],
    help: `
  hubwatch test-notify --config FILE
                                  send a test notice to every recipient of every channel; exit codes: 0 all accepted,
                                  1 one was not, or no recipient is configured`,
  },
  'silence add': {
    options: ['config', 'for', 'rule', 'subject', 'comment'],
    help: `
  hubwatch silence add --config FILE --for 2h [--rule NAME] [--subject ADDRESS|ALIAS] --comment TEXT
                                  suppress notices for a while, without a restart of the daemon`,
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
export const exitCodeText = `Exit codes of the other commands: ${exitCodes.done} done or stopped on request; ${exitCodes.failed} could not start
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
  return shown.length === 0 ? 'See hubwatch --help.\n' : `usage:\n${shown.map(({ help }) => help).join('')}\n`;
};

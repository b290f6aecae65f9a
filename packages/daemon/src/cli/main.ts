import { parseArgs } from 'node:util';
import { loadConfig } from '../config/load.js';
import { ConfigError } from '../config/problem.js';
import type { Config } from '../config/schema.js';
import { configuredChannels, configuredMirrors } from '../notifiers/index.js';
import { unknownRules } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import { version } from '../version.js';
import { checkCommand } from './check.js';
import { pluginFailure, pluginStates } from './plugin-result.js';
import { ledgerBackfill } from './backfill.js';
import { ledgerReport } from './ledger.js';
import { run } from './run.js';
import { showsColours } from './shows-colours.js';
import { silenceCommand } from './silence.js';
import { stopSignal } from './stop-signal.js';
import { testNotify } from './test-notify.js';
import { UsageError } from './usage-error.js';

const usage = `usage: hubwatch COMMAND

  hubwatch run --config FILE      watch what FILE says until SIGTERM or SIGINT
  hubwatch check --config FILE [ENDPOINT|ADDRESS|ALIAS ...] [--rule NAME,NAME] [--timeout 50s] [--verbose]
                                  one round beside or without the daemon, as a monitoring plugin: a line HUBWATCH OK and
                                  performance data; exit codes: 0 ok, 1 warning, 2 critical, 3 unknown
  hubwatch probe ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
      [--transport grpc|rest|rpc] [--timeout 5s]
                                  one question over each transport, a line of key=value pairs for each;
                                  exit codes: 0 all answered, 1 one did not
  hubwatch doctor ENDPOINT --config FILE | HOST | [--grpc HOST:PORT] [--rest URL] [--rpc URL]
                                  look at an endpoint: what it serves, how far back it remembers, what differs from
                                  the interface, and what to do; a HOST is asked at the usual ports 9090, 1317, 26657
      [--chain-id ID] [--naming auto|public|neutral] [--timeout 5s] [--json]
      at most 120 requests, and nothing but reads; exit codes: 0 nothing to advise, 1 advice, 2 nothing answered
  hubwatch ledger --config FILE   what watched nodes, providers and accounts were paid, what they paid, and what is missing;
      [--by year,month,day,kind,end,node,provider,account,denom] [--since WHEN] [--until WHEN]
      [--format text|csv|json] [--entries]
      end: what made a refund due; WHEN: 2026-11-27 (the whole day, UTC), 2026-11-27T23:00:00Z, or back from now: 36h, 7d
  hubwatch ledger backfill --config FILE [--from HEIGHT] [--to HEIGHT] [--limit BLOCKS]
                                  fill it with what was before, found by the index of an endpoint; may be broken off
  hubwatch check-config FILE      say whether FILE can be used; every problem with its line
  hubwatch test-notify --config FILE
                                  send a test notice to every recipient of every channel
  hubwatch silence add --config FILE --for 2h [--rule NAME] [--subject ADDRESS|ALIAS] --comment TEXT
                                  keep notices back for a while; the daemon need not be restarted
  hubwatch silence list --config FILE
  hubwatch silence end ID --config FILE
  hubwatch version                print the version
  hubwatch --help                 this text

-c is short for --config. Exit codes of commands that name none of their own: 0 done or stopped on request; 1 could not start
or failed while running. Of all but check: 2 wrong use of the command line; 3 the configuration cannot be used.
`;

/** Exit codes, as the help text tells them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, config: 3 } as const;

/** What a command may print to; a test gives its own. */
export interface Console {
  out(text: string): void;
  error(text: string): void;
  /** Whether `out` leads to a terminal that shows colours. */
  readonly hasColours?: boolean;
}

const standard: Console = {
  hasColours: showsColours(process.stdout, process.env),
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/** The command line program; resolves to its exit code. */
export const main = async (args: readonly string[], console: Console = standard): Promise<number> => {
  try {
    return await dispatch(args, console);
  } catch (error) {
    // Who runs a plugin reads one line and its exit code.
    if (args[0] === 'check') {
      console.out(pluginFailure(error instanceof Error ? error.message : String(error)));
      return pluginStates.unknown;
    }
    if (error instanceof UsageError) {
      console.error(`hubwatch: ${error.message}\n\n${usage}`);
      return exitCodes.usage;
    }
    if (error instanceof ConfigError) {
      console.error(`${error.message}\n`);
      return exitCodes.config;
    }
    console.error(`hubwatch: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCodes.failed;
  }
};

const dispatch = async (args: readonly string[], console: Console): Promise<number> => {
  const { values, positionals } = parsed(args);
  const [command, ...rest] = positionals;
  if (values.help || command === 'help') {
    console.out(usage);
    return exitCodes.done;
  }
  switch (command) {
    case 'run':
      if (rest.length > 0)
        throw new UsageError(`run takes no argument ${JSON.stringify(rest[0])}; the file goes to --config`);
      return run(configOf(command, values.config), console);
    case 'ledger':
      if (rest[0] === 'backfill' && rest.length === 1) {
        const stopping = new AbortController();
        void stopSignal().then(() => stopping.abort());
        const config = configOf('ledger backfill', values.config);
        const done = await ledgerBackfill(config, values, stopping.signal, (line) => console.out(`${line}\n`));
        console.out(done.text);
        return done.isFailure ? exitCodes.failed : exitCodes.done;
      }
      if (rest.length > 0) throw new UsageError(`ledger takes no argument ${JSON.stringify(rest[0])}`);
      console.out(ledgerReport(configOf(command, values.config), values, Date.now()));
      return exitCodes.done;
    case 'check-config': {
      const file = rest[0] ?? values.config;
      if (file === undefined || rest.length > 1) throw new UsageError('check-config needs one FILE');
      const config = readConfig(file);
      console.out(`${file}: ok. ${summary(config)}\n`);
      return exitCodes.done;
    }
    case 'test-notify': {
      const isTold = await testNotify(configOf(command, values.config), Date.now(), (line) => console.out(`${line}\n`));
      return isTold ? exitCodes.done : exitCodes.failed;
    }
    case 'silence':
      console.out(silenceCommand(configOf(command, values.config), rest, values, Date.now()));
      return exitCodes.done;
    case 'doctor': {
      const config = values.config === undefined ? undefined : readConfig(values.config);
      // Loaded when it is asked for: it knows every method of the interface.
      const { doctorCommand } = await import('./doctor.js');
      return doctorCommand(rest, values, config, console);
    }
    case 'probe': {
      const config = values.config === undefined ? undefined : readConfig(values.config);
      const { probeCommand } = await import('./probe.js');
      return probeCommand(rest, values, config, (line) => console.out(`${line}\n`));
    }
    case 'check': {
      const { state, text } = await checkCommand(configOf(command, values.config), rest, values);
      console.out(text);
      return pluginStates[state];
    }
    case 'version':
      console.out(`hubwatch ${version}\n`);
      return exitCodes.done;
    case undefined:
      throw new UsageError(`a command is missing; allowed: ${commands.join(', ')}`);
    default:
      throw new UsageError(`unknown command ${JSON.stringify(command)}; allowed: ${commands.join(', ')}`);
  }
};

const commands = [
  'run',
  'check',
  'probe',
  'doctor',
  'ledger',
  'check-config',
  'test-notify',
  'silence',
  'version',
] as const;

const configOf = (command: string, file: string | undefined): Config => {
  if (file === undefined) throw new UsageError(`${command} needs --config FILE`);
  return readConfig(file);
};

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        config: { type: 'string', short: 'c' },
        grpc: { type: 'string' },
        rest: { type: 'string' },
        rpc: { type: 'string' },
        naming: { type: 'string' },
        'chain-id': { type: 'string' },
        timeout: { type: 'string' },
        transport: { type: 'string' },
        json: { type: 'boolean' },
        for: { type: 'string' },
        rule: { type: 'string' },
        subject: { type: 'string' },
        comment: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
        by: { type: 'string' },
        since: { type: 'string' },
        until: { type: 'string' },
        format: { type: 'string' },
        entries: { type: 'boolean' },
        verbose: { type: 'boolean', short: 'v' },
        from: { type: 'string' },
        to: { type: 'string' },
        limit: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

const readConfig = (file: string): Config => loadConfig(file, unknownRules(rules));

const summary = (config: Config): string => {
  const { endpoints, watch } = config;
  const routes = [...configuredChannels(config), ...configuredMirrors(config)].map(({ name }) => name);
  return `Endpoints: ${endpoints.length}, nodes: ${watch.nodes.length}, providers: ${watch.providers.length}, accounts: ${watch.accounts.length}, notices: ${
    routes.length === 0 ? 'none' : routes.join(', ')
  }`;
};

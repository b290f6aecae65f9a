import { type LoadedConfig, loadWithWarnings } from '../config/load.js';
import { nearestKey } from '../config/nearest-key.js';
import { ConfigError } from '../config/problem.js';
import type { Config } from '../config/schema.js';
import { configuredChannels, configuredMirrors } from '../notifiers/index.js';
import { unknownRules } from '../rules/evaluate.js';
import { rules } from '../rules/index.js';
import { version } from '../version.js';
import { checkCommand } from './check.js';
import { parseCommandLine } from './command-line.js';
import { firstWords, helpOf, usageOf } from './commands.js';
import { exitCodes } from './exit-codes.js';
import { pluginFailure, pluginStates } from './plugin-result.js';
import { ledgerBackfill } from './backfill.js';
import { ledgerReport } from './ledger.js';
import { run } from './run.js';
import { showsColours } from './shows-colours.js';
import { silenceCommand } from './silence.js';
import { stopSignal } from './stop-signal.js';
import { testNotify } from './test-notify.js';
import { UsageError } from './usage-error.js';

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
      console.error(`hubwatch: ${error.message}\n\n${usageOf(args.find((word) => firstWords.includes(word)))}`);
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
  const { words, options: values, wantsHelp, wantsVersion } = parseCommandLine(args);
  const [command, ...rest] = wantsVersion && !wantsHelp ? ['version'] : words;
  if (wantsHelp || command === 'help') {
    console.out(helpOf(command === 'help' ? rest[0] : command));
    return exitCodes.done;
  }
  switch (command) {
    case 'run':
      if (rest.length > 0)
        throw new UsageError(`run takes no argument ${JSON.stringify(rest[0])}; the file goes to --config`);
      if (values.config === undefined) throw new UsageError('run needs --config FILE');
      return run(load(values.config), console);
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
      const { config, warnings } = load(file);
      if (warnings !== undefined) console.error(`${warnings.message.replaceAll(/^/gm, 'warning: ')}\n`);
      console.out(`${file}: ok. ${summary(config)}\n`);
      return exitCodes.done;
    }
    case 'test-notify': {
      noWords(command, rest);
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
      noWords(command, rest);
      console.out(`hubwatch ${version}\n`);
      return exitCodes.done;
    case undefined:
      throw new UsageError(`a command is missing; allowed: ${firstWords.join(', ')}`);
    default:
      throw new UsageError(unknownCommand(command));
  }
};

const unknownCommand = (word: string): string => {
  const nearest = nearestKey(word, firstWords);
  return `unknown command ${JSON.stringify(word)}${nearest === undefined ? '; allowed' : `; did you mean ${nearest}? Allowed`}: ${firstWords.join(', ')}`;
};

const noWords = (command: string, [word]: readonly string[]): void => {
  if (word !== undefined) throw new UsageError(`${command} takes no argument ${JSON.stringify(word)}`);
};

const configOf = (command: string, file: string | undefined): Config => {
  if (file === undefined) throw new UsageError(`${command} needs --config FILE`);
  return readConfig(file);
};

const load = (file: string): LoadedConfig => loadWithWarnings(file, unknownRules(rules));

const readConfig = (file: string): Config => load(file).config;

const summary = (config: Config): string => {
  const { endpoints, watch } = config;
  const routes = [...configuredChannels(config), ...configuredMirrors(config)].map(({ name }) => name);
  return `Endpoints: ${endpoints.length}, nodes: ${watch.nodes.length}, providers: ${watch.providers.length}, accounts: ${watch.accounts.length}, notices: ${
    routes.length === 0 ? 'none' : routes.join(', ')
  }`;
};

import { Command, InvalidArgumentError, Option } from 'commander';
import { version } from '../version.js';
import type { BackfillArguments } from './backfill.js';
import type { BackupArguments } from './backup.js';
import type { CheckArguments } from './check.js';
import type { CheckStoreArguments } from './check-store.js';
import type { DoctorArguments } from './doctor.js';
import { exportedFiles } from '../prometheus/file-names.js';
import { exitCodes, exitCodeText } from './exit-codes.js';
import type { ExportRulesOptions } from './export-rules.js';
import type { LedgerArguments } from './ledger.js';
import type { ProbeArguments } from './probe.js';
import type { SilenceOptions } from './silence.js';
import { UsageError } from './usage-error.js';

/** Output of a command; tests provide their own. */
export interface Console {
  out(text: string): void;
  error(text: string): void;
  /** Whether `out` leads to a terminal that shows colours. */
  readonly hasColours?: boolean;
}

interface WithConfig {
  readonly config?: string | undefined;
}

/** Width of the help in columns, in every terminal and in the docs. */
const helpWidth = 110;

/**
 * Declares every command. An action imports its modules when it runs, so that the daemon stays small and the help is
 * fast.
 * @param done receives the exit code of the command that ran
 */
export const declareCommands = (console: Console, done: (code: number) => void): Command => {
  const program = new Command('hubwatch')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.out(text),
      writeErr: () => undefined,
      getOutHelpWidth: () => helpWidth,
    })
    .enablePositionalOptions()
    .description('Monitors hub v12 endpoints, nodes, leases and sessions.')
    .version(`hubwatch ${version}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print the help of a command')
    .helpCommand('help [COMMAND]', 'print the help of a command')
    .addHelpText('after', `\n${exitCodeText}\nA command with other exit codes lists them in its own help.`);
  const line = (text: string): void => console.out(`${text}\n`);

  program
    .command('run')
    .summary('run the daemon')
    .description(
      'Runs the daemon until SIGTERM or SIGINT. SIGHUP reads the configuration again; an invalid file changes nothing.',
    )
    .addOption(configOption())
    .addHelpText('after', `\n${exitCodeText}`)
    .action(async ({ config }: WithConfig) => {
      const file = required('run', config);
      const [{ run }, { loadFile }] = await Promise.all([import('./run.js'), import('./configuration.js')]);
      done(await run(() => loadFile(file), console));
    });

  program
    .command('check')
    .summary('run one round as a monitoring plugin')
    .description(
      `Runs one round as a monitoring plugin, with or without the daemon, and prints a line HUBWATCH OK with performance data.
It checks a single moment and reports at once what the daemon would hold for some minutes.`,
    )
    .argument('[SUBJECT...]', 'endpoints, addresses or aliases to check (default: everything)')
    .addOption(configOption())
    .addOption(valueOption('--rule <NAMES>', 'rules to check, separated by commas (default: all)'))
    .addOption(valueOption('--timeout <TIME>', 'longest time of the round, 100ms to 1m (default: 50s)'))
    .option('-v, --verbose', 'a line for each verdict')
    .addHelpText('after', '\nExit codes: 0 ok, 1 warning, 2 critical, 3 unknown.')
    .action(async (subjects: readonly string[], options: CheckArguments & WithConfig) => {
      const config = await configOf('check', options);
      const [{ checkCommand }, { pluginStates }] = await Promise.all([
        import('./check.js'),
        import('./plugin-result.js'),
      ]);
      const { state, text } = await checkCommand(config, subjects, options);
      console.out(text);
      done(pluginStates[state]);
    });

  withEndpoint(
    program
      .command('probe')
      .summary('send one request over each transport of an endpoint')
      .description('Sends one request over each transport, and prints a line of key=value pairs for each.'),
  )
    .addOption(new Option('--transport <NAME>', 'this transport only').choices(['grpc', 'rest', 'rpc']))
    .addHelpText('after', '\nExit codes: 0 all answered, 1 one did not, 2 usage error, 3 configuration.')
    .action(async (endpoint: string | undefined, options: ProbeArguments & WithConfig) => {
      const config = await optionalConfig(options);
      const { probeCommand } = await import('./probe.js');
      done(await probeCommand(endpoint, options, config, line));
    });

  withEndpoint(
    program
      .command('doctor')
      .summary('examine an endpoint and advise')
      .description(
        `Examines an endpoint: what it serves, its history, how it differs from the interface, and what to do.
Sends at most 120 requests, all of them read-only.`,
      ),
  )
    .addOption(valueOption('--chain-id <ID>', 'chain that the endpoint should serve'))
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', '\nExit codes: 0 no advice, 1 advice, 2 no answer or usage error, 3 configuration.')
    .action(async (endpoint: string | undefined, options: DoctorArguments & WithConfig) => {
      const config = await optionalConfig(options);
      // Imported on demand because it contains every method of the interface.
      const { doctorCommand } = await import('./doctor.js');
      done(await doctorCommand(endpoint, options, config, console));
    });

  const ledger = program
    .command('ledger')
    .enablePositionalOptions()
    .helpCommand(false)
    .summary('print income, payments and gaps')
    .description('Prints income, payments and gaps of watched nodes, providers and accounts.')
    .addOption(configOption())
    .addOption(
      valueOption(
        '--by <KEYS>',
        'columns of the sums, separated by commas, from year, month, day, kind, end (reason of a refund), node, provider, account, denom (default: day,end,node)',
      ),
    )
    .addOption(
      valueOption(
        '--since <WHEN>',
        'first moment: 2026-11-27 (the whole day, UTC), 2026-11-27T23:00:00Z, or before now: 36h, 7d',
      ),
    )
    .addOption(valueOption('--until <WHEN>', 'last moment, in the same form'))
    .addOption(new Option('--format <NAME>', 'form of the output').choices(['text', 'csv', 'json']).default('text'))
    .option('--entries', 'print each entry instead of sums')
    .addHelpText('after', `\n${exitCodeText}`)
    .action(async (options: LedgerArguments & WithConfig) => {
      const config = await configOf('ledger', options);
      const { ledgerReport } = await import('./ledger.js');
      console.out(ledgerReport(config, options, Date.now()));
    });

  ledger
    .command('backfill')
    .summary('add earlier events to the ledger')
    .description('Adds earlier events, found by the index of an endpoint. It can be interrupted and run again.')
    .addOption(configOption())
    .addOption(valueOption('--from <HEIGHT>', 'first block'))
    .addOption(valueOption('--to <HEIGHT>', 'last block'))
    .addOption(valueOption('--limit <BLOCKS>', 'blocks to read at most (default: 50000)'))
    .action(async (options: BackfillArguments & WithConfig) => {
      const config = await configOf('ledger backfill', options);
      const [{ ledgerBackfill }, { stopSignal }] = await Promise.all([
        import('./backfill.js'),
        import('./stop-signal.js'),
      ]);
      const stopping = new AbortController();
      void stopSignal().then(() => stopping.abort());
      const { text, isFailure } = await ledgerBackfill(config, options, stopping.signal, line);
      console.out(text);
      done(isFailure ? exitCodes.failed : exitCodes.done);
    });

  program
    .command('check-config')
    .summary('check a configuration')
    .description('Checks a configuration and prints every problem with its line.')
    .argument('[FILE]', 'the file, also given by --config')
    .addOption(configOption())
    .action(async (argument: string | undefined, { config: option }: WithConfig) => {
      const file = argument ?? option;
      if (file === undefined) throw new UsageError('check-config needs one FILE');
      const { loadFile, summaryOf } = await import('./configuration.js');
      const { config, warnings } = loadFile(file);
      if (warnings !== undefined) console.error(`${warnings.message.replaceAll(/^/gm, 'warning: ')}\n`);
      line(`${file}: ok. ${summaryOf(config)}`);
    });

  program
    .command('test-notify')
    .summary('send a test notice to every recipient')
    .description('Sends a test notice to every recipient of every channel.')
    .addOption(configOption())
    .addHelpText('after', '\nExit codes: 0 all accepted, 1 one was not, or no recipient is configured.')
    .action(async (options: WithConfig) => {
      const config = await configOf('test-notify', options);
      const { testNotify } = await import('./test-notify.js');
      const isAccepted = await testNotify(config, Date.now(), line);
      done(isAccepted ? exitCodes.done : exitCodes.failed);
    });

  program
    .command('export-rules')
    .summary('export the alerts for Prometheus and Alertmanager')
    .description(
      `Prints the alerts as a rule file of Prometheus, or writes it with examples for Alertmanager and the scrape.
Thresholds and holds are those of the configuration; alerts that it turns off are left out.`,
    )
    .addOption(configOption())
    .addOption(valueOption('--out <DIR>', 'folder that gets all files, instead of printing one'))
    .addOption(
      new Option('--file <NAME>', 'file to print').choices(Object.values(exportedFiles)).default(exportedFiles.rules),
    )
    .addOption(
      valueOption('--docs <URL>', 'folder of the documentation, for runbook_url (default: that of the repository)'),
    )
    .action(async (options: ExportRulesOptions & WithConfig) => {
      const config = await optionalConfig(options);
      const { exportRules } = await import('./export-rules.js');
      exportRules(config, options, Date.now(), console);
    });

  const silence = program
    .command('silence')
    .helpCommand(false)
    .summary('suppress notices for a while')
    .description('Suppresses notices for a while, without a restart of the daemon.');
  silence
    .command('add')
    .summary('add a silence')
    .description('Adds a silence; at least one of --rule and --subject is needed.')
    .addOption(configOption())
    .addOption(valueOption('--for <TIME>', 'how long, such as 30m, 2h or 7d'))
    .addOption(valueOption('--rule <NAME>', 'rule to silence (default: every rule)'))
    .addOption(valueOption('--subject <ADDRESS>', 'address or alias to silence (default: every subject)'))
    .addOption(valueOption('--comment <TEXT>', 'the reason, shown to others'))
    .action(async (options: SilenceOptions & WithConfig) => {
      const config = await configOf('silence add', options);
      const { addSilence } = await import('./silence.js');
      console.out(addSilence(config, options, Date.now()));
    });
  silence
    .command('list')
    .summary('print the silences')
    .description('Prints the silences that have not ended.')
    .addOption(configOption())
    .action(async (options: WithConfig) => {
      const config = await configOf('silence list', options);
      const { listSilences } = await import('./silence.js');
      console.out(listSilences(config, Date.now()));
    });
  silence
    .command('end')
    .summary('end a silence')
    .description('Ends a silence at once.')
    .argument('<ID>', 'the silence, as silence list shows it')
    .addOption(configOption())
    .action(async (id: string, options: WithConfig) => {
      const config = await configOf('silence end', options);
      const { endSilence } = await import('./silence.js');
      console.out(endSilence(config, id, Date.now()));
    });

  program
    .command('backup')
    .summary('write a backup of the store')
    .description(
      `Writes a consistent backup of the store, checks it and prints its size. The daemon may be running.
The file appears under its name when it is complete.`,
    )
    .addOption(configOption())
    .addOption(valueOption('--out <FILE>', 'file to write, readable only by its owner'))
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', `\n${exitCodeText}`)
    .action(async (options: BackupArguments & WithConfig) => {
      const config = await configOf('backup', options);
      const { backupCommand } = await import('./backup.js');
      console.out(await backupCommand(config, options));
    });

  program
    .command('restore')
    .summary('replace the store by a backup')
    .description(
      `Replaces the store by a backup, which is checked first. The daemon must not be running.
The replaced store is kept under the name STORE.before-restore-TIME.`,
    )
    .argument('<FILE>', 'the backup')
    .addOption(configOption())
    .addHelpText('after', `\n${exitCodeText}`)
    .action(async (file: string, options: WithConfig) => {
      const config = await configOf('restore', options);
      const { restoreCommand } = await import('./restore.js');
      console.out(await restoreCommand(config, file, Date.now()));
    });

  program
    .command('check-store')
    .summary('check the store or a backup')
    .description(
      `Checks the store, or the backup FILE: errors, schema version, rows and size of each table.
The daemon may be running. Nothing is written.`,
    )
    .argument('[FILE]', 'a backup (default: the store of the configuration)')
    .addOption(configOption())
    .option('--json', 'print JSON instead of text')
    .addHelpText('after', '\nExit codes: 0 no error, 1 an error or no such file, 2 usage error, 3 configuration.')
    .action(async (file: string | undefined, options: CheckStoreArguments & WithConfig) => {
      if (file === undefined && options.config === undefined)
        throw new UsageError('check-store needs --config FILE, or the FILE of a backup');
      const config = await optionalConfig(options);
      const { checkStore } = await import('./check-store.js');
      const { text, isFailure } = checkStore(config, file, options);
      console.out(text);
      done(isFailure ? exitCodes.failed : exitCodes.done);
    });

  program
    .command('version')
    .summary('print the version')
    .description('Prints the version.')
    .action(() => line(`hubwatch ${version}`));
  return program;
};

/**
 * An option with a required value. If the value is missing, the next option would be used as the value; that is
 * rejected.
 */
const valueOption = (flags: string, does: string): Option =>
  new Option(flags, does).argParser((text) => {
    if (text === '' || text.startsWith('-')) throw new InvalidArgumentError('A value is missing.');
    return text;
  });

const configOption = (): Option => valueOption('-c, --config <FILE>', 'configuration of the daemon');

const withEndpoint = (command: Command): Command =>
  command
    .argument(
      '[ENDPOINT]',
      'name of an endpoint with --config, or a host, which is tried at the default ports 9090, 1317 and 26657',
    )
    .addOption(configOption())
    .addOption(valueOption('--grpc <HOST:PORT>', 'gRPC address, instead of ENDPOINT'))
    .addOption(valueOption('--rest <URL>', 'REST address, instead of ENDPOINT'))
    .addOption(valueOption('--rpc <URL>', 'consensus RPC address, instead of ENDPOINT'))
    .addOption(new Option('--naming <NAME>', 'names that the endpoint uses').choices(['auto', 'public', 'neutral']))
    .addOption(valueOption('--timeout <TIME>', 'longest time of a request, 100ms to 1m (default: 5s)'));

const required = (command: string, file: string | undefined): string => {
  if (file === undefined) throw new UsageError(`${command} needs --config FILE`);
  return file;
};

const configOf = async (command: string, { config }: WithConfig) => {
  const file = required(command, config);
  const { readConfig } = await import('./configuration.js');
  return readConfig(file);
};

const optionalConfig = async ({ config }: WithConfig) => {
  if (config === undefined) return undefined;
  const { readConfig } = await import('./configuration.js');
  return readConfig(config);
};

/** All commands with their full names, groups before their members. */
export const commandsOf = (program: Command): readonly { readonly name: string; readonly command: Command }[] =>
  program.commands.flatMap((command) => {
    const name = command.name();
    const members = commandsOf(command).map((member) => ({ ...member, name: `${name} ${member.name}` }));
    return [{ name, command }, ...members];
  });

/** The help of every command, as `--help` prints it. */
export const commandHelp = (): readonly { readonly name: string; readonly help: string }[] => {
  let printed = '';
  const program = declareCommands({ out: (text) => (printed += text), error: () => undefined }, () => undefined);
  return commandsOf(program).map(({ name, command }) => {
    printed = '';
    command.outputHelp();
    return { name, help: printed };
  });
};

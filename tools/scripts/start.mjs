// npm start: sets up missing parts, then runs hubwatch on a replayed chain, or on a real node with --config.
// package.json runs it with `exec`: an intermediate shell would be killed by Ctrl-C, and npm would report that as the
// result.
import { parseArgs } from 'node:util';
import { build, checkNode, fail, install, root, SetupError } from './setup.mjs';

const usage = `usage: npm start [-- OPTIONS]

Without options: plays the recorded day of a small network on a node's three interfaces, starts the monitor beside it with
a mailbox for its notices, and prints the addresses of the status page and of /metrics. Ctrl-C ends everything.

  --config FILE     watch real nodes instead, as FILE says (see deploy/hubwatch.example.yml); the options below do not apply
  --chain NAME      recording to play: day (default), chain (a random walk with many incidents), or a folder of that form
  --from HEIGHT     height to begin at (default: some minutes of chain time before the first incident)
  --speed N         chain seconds per second, 0.1 to 10000 (default 60; 1 is real time, for a real Prometheus or a second daemon)
  --port N          port of the status page and /metrics (default 9190 if free, else a free one)
  --grpc-port N     port of the node's gRPC server (default 9090 if free, else a free one)
  --rest-port N     port of the node's REST gateway (default 1317 if free, else a free one)
  --rpc-port N      port of the node's consensus RPC (default 26657 if free, else a free one)
  --smtp HOST:PORT  send mails to this server instead of the built-in mailbox (no TLS, no login)
  --mail-to ADDR    recipient of the mails (default operator@hubwatch.localhost)
  --help            this text

Everything listens on 127.0.0.1 only. What the demo writes stands in .hubwatch/demo: its configuration, its store, its mails, its log.
`;

class UsageError extends SetupError {}

const say = (line) => process.stdout.write(`${line}\n`);

try {
  const options = parse(process.argv.slice(2));
  if (options.help) {
    say(usage);
  } else {
    checkNode();
    await install(say);
    await build(say, ['types', 'client', 'daemon', 'devnode', 'demo']);
    process.chdir(options.config === undefined ? root : (process.env.INIT_CWD ?? process.cwd()));
    if (options.config !== undefined) {
      const { main } = await import('../../packages/daemon/dist/cli/main.js');
      await ended(() => main(['run', '--config', options.config]));
    } else {
      const { runDemo } = await import('../demo/dist/demo.js');
      await ended(() => runDemo(options));
    }
  }
} catch (error) {
  fail(error, error instanceof UsageError ? 2 : 1);
}

/**
 * Exits with the exit code of `run`. Under npm, a terminal signal arrives twice, because npm forwards it too; then it
 * exits after the second one.
 */
async function ended(run) {
  const code = await run();
  const { signalPassedOn } = await import('../../packages/daemon/dist/cli/stop-signal.js');
  if (process.env.npm_lifecycle_event !== undefined) await signalPassedOn(1_000);
  process.exit(code);
}

function parse(args) {
  const text = { type: 'string' };
  let values;
  try {
    ({ values } = parseArgs({
      args,
      options: {
        config: text,
        chain: text,
        from: text,
        speed: text,
        port: text,
        'grpc-port': text,
        'rest-port': text,
        'rpc-port': text,
        smtp: text,
        'mail-to': text,
        help: { type: 'boolean', short: 'h', default: false },
      },
    }));
  } catch (error) {
    throw new UsageError(`${error.message}\n\n${usage}`);
  }
  if (values.config !== undefined) {
    const other = Object.keys(values).find((name) => name !== 'config' && name !== 'help');
    if (other !== undefined) throw new UsageError(`--${other} belongs to the demo and does not go with --config`);
  }
  return {
    help: values.help,
    config: values.config,
    chain: values.chain ?? 'day',
    from: number(values, 'from', 901_801, 10_000_000),
    speed: number(values, 'speed', 0.1, 10_000) ?? 60,
    ports: {
      web: number(values, 'port', 1, 65_535),
      grpc: number(values, 'grpc-port', 1, 65_535),
      rest: number(values, 'rest-port', 1, 65_535),
      rpc: number(values, 'rpc-port', 1, 65_535),
    },
    smtp: matching(values, 'smtp', /^[^\s:]+:\d{1,5}$/, 'HOST:PORT, such as 127.0.0.1:25'),
    mailTo:
      matching(values, 'mail-to', /^[^\s@<>,;]+@[^\s@<>,;]+$/, 'one mail address') ?? 'operator@hubwatch.localhost',
  };
}

function matching(values, name, form, allowed) {
  const value = values[name];
  if (value === undefined || form.test(value)) return value;
  throw new UsageError(`--${name} "${value}": allowed is ${allowed}`);
}

function number(values, name, least, most) {
  if (values[name] === undefined) return undefined;
  const value = Number(values[name]);
  const whole = name === 'speed' || Number.isInteger(value);
  if (values[name].trim() !== '' && whole && value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} ${values[name]}: allowed is a ${name === 'speed' ? '' : 'whole '}number from ${least} to ${most}`,
  );
}

import { parseArgs } from 'node:util';
import type { CorsOptions, DevnodeOptions, Ports } from './options.js';
import { nodeNames, type NodeName } from './recording/rows.js';

export const help = `devnode: a hub v12 node that replays recordings on loopback

  --mode moving|recorded   moving (default) plays a recorded chain; recorded is one node as it was recorded
  --help                   this text

mode moving
  --chain NAME             day (default: a day of a small network), chain (a random walk through every rule), or a folder
  --speed N|manual         chain seconds per second, default 60; manual stands still
  --from HEIGHT            head at the start, default the first height
  --shift now|end|none     now (default): the head's block time is the present; end: the last block's; none: as recorded

mode recorded
  --node NAME              ${nodeNames.join(', ')}; default archive
  --repeats in-order|last  a request that was recorded more than once: its answers one after the other (default), or the last

access for pages of other origins (off by default, as on a node)
  --rest-cors              the gateway answers every origin
  --rpc-cors ORIGIN        origin that may call the consensus RPC, * for every one; may be given several times

addresses (default 0: a free port)
  --grpc-port N  --rest-port N  --rpc-port N  --grpc-web-port N
`;

const defaultSpeed = 60;

function oneOf<T extends string>(name: string, value: string | undefined, allowed: readonly T[], usual: T): T {
  if (value === undefined) return usual;
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw new Error(`--${name} ${value}: allowed are ${allowed.join(', ')}`);
}

function whole(name: string, value: string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= max) return number;
  throw new Error(`--${name} ${value}: allowed are whole numbers from 0 to ${max}`);
}

function portsOf(values: Readonly<Record<string, string | boolean | string[] | undefined>>): Ports {
  const names = { grpc: 'grpc-port', rest: 'rest-port', rpc: 'rpc-port', grpcWeb: 'grpc-web-port' };
  const ports = Object.entries(names).map(([key, name]) => [
    key,
    whole(name, values[name] as string | undefined, 65_535) ?? 0,
  ]);
  return Object.fromEntries(ports) as Ports;
}

/** Parses the command line. @throws Error that names the option and its allowed values. */
export function cliOptions(args: readonly string[]): DevnodeOptions | 'help' {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean' },
      mode: text,
      chain: text,
      speed: text,
      from: text,
      shift: text,
      node: text,
      repeats: text,
      'rest-cors': { type: 'boolean' },
      'rpc-cors': { type: 'string', multiple: true },
      'grpc-port': text,
      'rest-port': text,
      'rpc-port': text,
      'grpc-web-port': text,
    },
  });
  if (values.help === true) return 'help';
  const ports = portsOf(values);
  const cors: { cors?: CorsOptions } =
    values['rest-cors'] === true || values['rpc-cors'] !== undefined
      ? { cors: { rest: values['rest-cors'] ?? false, rpc: values['rpc-cors'] ?? [] } }
      : {};
  if (oneOf('mode', values.mode, ['moving', 'recorded'], 'moving') === 'recorded') {
    const node: NodeName = oneOf('node', values.node, nodeNames, 'archive');
    return {
      mode: 'recorded',
      node,
      repeats: oneOf('repeats', values.repeats, ['in-order', 'last'], 'in-order'),
      ports,
      ...cors,
    };
  }
  const speed = values.speed === undefined ? defaultSpeed : values.speed === 'manual' ? 'manual' : Number(values.speed);
  if (speed !== 'manual' && !(speed > 0)) {
    throw new Error(`--speed ${values.speed}: allowed are numbers above 0, and manual`);
  }
  const from = whole('from', values.from, Number.MAX_SAFE_INTEGER);
  return {
    mode: 'moving',
    speed,
    shiftTo: oneOf('shift', values.shift, ['now', 'end', 'none'], 'now'),
    ports,
    ...cors,
    ...(values.chain === undefined ? {} : { chain: values.chain }),
    ...(from === undefined ? {} : { from }),
  };
}

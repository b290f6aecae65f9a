import { describe, expect, it } from 'vitest';
import { cliOptions } from './cli-options.js';
import type { MovingOptions } from './options.js';

const ports = { grpc: 0, rest: 0, rpc: 0, grpcWeb: 0 };

describe('command line', () => {
  it('defaults: the day recording at 60 times speed, shifted to now', () => {
    expect(cliOptions([])).toEqual({ mode: 'moving', speed: 60, shiftTo: 'now', ports });
  });

  it('options: each mode accepts its own options', () => {
    expect(cliOptions(['--chain', 'chain', '--speed', 'manual', '--from', '901900', '--grpc-port', '9090'])).toEqual({
      mode: 'moving',
      chain: 'chain',
      speed: 'manual',
      from: 901900,
      shiftTo: 'now',
      ports: { ...ports, grpc: 9090 },
    });
    expect(cliOptions(['--mode', 'recorded', '--node', 'pruned', '--repeats', 'last'])).toEqual({
      mode: 'recorded',
      node: 'pruned',
      repeats: 'last',
      ports,
    });
  });

  it('CORS: off unless requested', () => {
    const { cors } = cliOptions(['--rest-cors', '--rpc-cors', 'https://a.example', '--rpc-cors', '*']) as MovingOptions;
    expect(cors).toEqual({ rest: true, rpc: ['https://a.example', '*'] });
    expect((cliOptions(['--rpc-cors', '*']) as MovingOptions).cors).toEqual({ rest: false, rpc: ['*'] });
  });

  it.each([
    [['--mode', 'x'], '--mode x: allowed are moving, recorded'],
    [['--speed', '0'], '--speed 0: allowed are numbers above 0, and manual'],
    [['--mode', 'recorded', '--node', 'x'], '--node x: allowed are archive, pruned, fresh, small'],
    [['--rpc-port', '70000'], '--rpc-port 70000: allowed are whole numbers from 0 to 65535'],
  ])('%j: rejected with the allowed values', (args, message) => {
    expect(() => cliOptions(args)).toThrow(message);
  });
});

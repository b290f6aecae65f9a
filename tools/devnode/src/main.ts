import { cliOptions, help } from './cli-options.js';
import { type Devnode, startDevnode } from './start.js';

function describe(devnode: Devnode): string {
  const { height, time } = devnode.position();
  const { first, last } = devnode.range;
  const { speed } = devnode.clock;
  const lines = [
    `devnode: ${devnode.chainId}, height ${height} of ${first} to ${last}, block time ${time}, ${speed === 0 ? 'standing still' : `${speed}x`}`,
    `  gRPC           ${devnode.grpc}`,
    `  REST gateway   ${devnode.rest}`,
    `  consensus RPC  ${devnode.rpc}`,
    `  websocket      ${devnode.websocket}`,
  ];
  if (devnode.grpcWeb !== undefined) lines.push(`  gRPC-web       ${devnode.grpcWeb}`);
  return lines.join('\n');
}

async function main(): Promise<void> {
  const options = cliOptions(process.argv.slice(2));
  if (options === 'help') return void console.log(help);
  const devnode = await startDevnode(options);
  console.log(describe(devnode));
  const stop = (): void => {
    void devnode.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(`devnode: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});

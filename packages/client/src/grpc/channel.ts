import { type ChannelCredentials, Client, type ClientOptions, credentials, Metadata } from '@grpc/grpc-js';
import { HubError } from '../error.js';
import { defaultMaxBytes } from '../options.js';

/** Opens a channel to an address; nothing is sent before the first call. */
export function openChannel(address: string, maxBytes: number | undefined): Client {
  const { target, secure } = readAddress(address);
  const channelCredentials: ChannelCredentials = secure ? credentials.createSsl() : credentials.createInsecure();
  return new Client(target, channelCredentials, channelOptions(maxBytes));
}

function channelOptions(maxBytes: number | undefined): ClientOptions {
  return {
    'grpc.max_receive_message_length': maxBytes ?? defaultMaxBytes,
    // A read that failed is asked again by the caller, who counts it.
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    // grpc-js waits up to two minutes between attempts; a node that is back should be seen sooner.
    'grpc.initial_reconnect_backoff_ms': 500,
    'grpc.max_reconnect_backoff_ms': 5_000,
    // Connections are direct on every transport; fetch does not use the proxy of the environment either.
    'grpc.enable_http_proxy': 0,
  };
}

function readAddress(address: string): { target: string; secure: boolean } {
  const parts = /^(?:(https?|grpcs?):\/\/)?(\[[0-9a-f:]+\]|[^\s:/[\]]+):(\d{1,5})\/?$/i.exec(address);
  const port = Number(parts?.[3]);
  if (parts === null || port < 1 || port > 65535) {
    throw new HubError({
      code: 'invalid_argument',
      message: `grpc address ${JSON.stringify(address)}: host:port or https://host:port is expected`,
      transport: 'grpc',
      address,
    });
  }
  const scheme = parts[1]?.toLowerCase();
  return { target: `${parts[2]}:${port}`, secure: scheme === 'https' || scheme === 'grpcs' };
}

export function metadataOf(entries: Iterable<readonly [string, string]>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of entries) metadata.set(name, value);
  return metadata;
}

/** The identity as a serializer: our codec makes and reads the bytes. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

import { type ChannelCredentials, Client, type ClientOptions, credentials, Metadata } from '@grpc/grpc-js';
import { defaultMaxBytes } from '../options.js';
import { readAddress } from './address.js';

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
    // grpc-js asks for the addresses of a name that fails every 30 s; a name that moved should be found as soon as a node.
    'grpc.dns_min_time_between_resolutions_ms': 2_000,
    // Else a channel that is opened anew would be given the connection of the old one.
    'grpc.use_local_subchannel_pool': 1,
    // Connections are direct on every transport; fetch does not use the proxy of the environment either.
    'grpc.enable_http_proxy': 0,
  };
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

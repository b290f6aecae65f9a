import { span, utc } from '../../words.js';
import { wayTitles } from '../subject.js';
import type { FindingRule } from './finding.js';

export const unsafeExposed: FindingRule = {
  id: 'unsafe-exposed',
  find: ({ engine }) =>
    engine?.exposesUnsafe === true
      ? {
          says: 'Unsafe methods are exposed: anyone who reaches the consensus RPC can empty the mempool and set the peers',
          advice: 'Set `unsafe = false` in the `[rpc]` section of config.toml and restart, or do not publish the port.',
        }
      : undefined,
};

const dayMs = 86_400_000;
/** Time before its end at which a certificate should have been renewed. */
const renewalMs = 14 * dayMs;

export const certificateEnds: FindingRule = {
  id: 'certificate-ends',
  find: ({ ways, atMs }) =>
    [...ways].flatMap(([name, { tls, address }]) => {
      if (tls === undefined || tls.endMs - atMs > renewalMs) return [];
      const left = tls.endMs - atMs;
      return {
        says: `The certificate of ${address} (${wayTitles[name]}) ${left > 0 ? `ends in ${span(left)}` : 'has ended'}, ${utc(tls.endMs)}`,
        advice: 'Renew it, and check why the automatic renewal failed.',
      };
    }),
};

export const certificateAhead: FindingRule = {
  id: 'certificate-not-yet',
  find: ({ ways, atMs }) =>
    [...ways].flatMap(([name, { tls, address }]) =>
      tls === undefined || tls.startMs <= atMs
        ? []
        : {
            says: `The certificate of ${address} (${wayTitles[name]}) is not valid before ${utc(tls.startMs)}`,
            advice: 'Check the clock of this machine.',
          },
    ),
};

export const reflectionOff: FindingRule = {
  id: 'reflection-off',
  find: ({ application: { services } }) =>
    services?.state === 'not_served'
      ? {
          says: 'gRPC reflection is not available, although every node of hub v12 serves it: a proxy in between drops it',
          advice:
            'Let the proxy forward `grpc.reflection.v1alpha.ServerReflection`; until then set `naming` in the configuration.',
        }
      : undefined,
};

export const websocketOff: FindingRule = {
  id: 'websocket-off',
  find: ({ engine }) =>
    engine?.websocket === false
      ? {
          says: 'The consensus RPC accepts no websocket, so new blocks are found by polling only',
          advice: 'Let the proxy forward the upgrade of `/websocket` (`proxy_set_header Upgrade` in nginx).',
        }
      : undefined,
};

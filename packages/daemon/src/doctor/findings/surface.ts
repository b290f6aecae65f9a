import { span, utc } from '../../words.js';
import { wayTitles } from '../subject.js';
import type { FindingRule } from './finding.js';

export const unsafeExposed: FindingRule = {
  id: 'unsafe-exposed',
  find: ({ engine }) =>
    engine?.exposesUnsafe === true
      ? {
          says: 'Unsafe methods are exposed: whoever reaches the consensus RPC can empty its mempool and choose its peers',
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
        advice: 'Renew it, and see why that was not done by itself.',
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
            says: `The certificate of ${address} (${wayTitles[name]}) is valid from ${utc(tls.startMs)} on`,
            advice: 'Check the clock of this machine.',
          },
    ),
};

export const reflectionOff: FindingRule = {
  id: 'reflection-off',
  find: ({ application: { services } }) =>
    services?.state === 'not_served'
      ? {
          says: 'gRPC reflection is off, which every node of hub v12 serves: something between drops it',
          advice:
            'Let the proxy pass `grpc.reflection.v1alpha.ServerReflection`; until then give `naming` in the configuration.',
        }
      : undefined,
};

export const websocketOff: FindingRule = {
  id: 'websocket-off',
  find: ({ engine }) =>
    engine?.websocket === false
      ? {
          says: 'The consensus RPC takes no websocket, so that new blocks are seen by polling alone',
          advice: 'Let the proxy pass the upgrade of `/websocket` on (`proxy_set_header Upgrade` in nginx).',
        }
      : undefined,
};

import { oneLine, span } from '../../words.js';
import type { Diagnosis } from '../diagnosis.js';
import { type WayName, wayTitles } from '../subject.js';
import { type Cause, causeOf, type Failed, failedWays, strangerAt } from './cause.js';
import type { Advice, FindingRule } from './finding.js';

/** Creates a finding for each transport that failed for one cause. */
const ofCause = (id: string, cause: Cause, advise: (failed: Failed, diagnosis: Diagnosis) => Advice): FindingRule => ({
  id,
  find: (diagnosis) =>
    failedWays(diagnosis)
      .filter((failed) => causeOf(failed) === cause)
      .map((failed) => advise(failed, diagnosis)),
});

/** One piece of advice per name, regardless of the transports that use it. */
export const nameUnknown: FindingRule = {
  id: 'name-unknown',
  find: (diagnosis) =>
    [...new Set(failedWays(diagnosis).flatMap((failed) => (causeOf(failed) === 'name' ? failed.host : [])))].map(
      (host) => ({
        says: `${host} does not resolve from here`,
        advice: 'Check the spelling of the name, its DNS record, and the resolver of this machine.',
      }),
    ),
};

interface Setting {
  /** Setting that enables the transport. */
  readonly on: string;
  /** Setting of its listen address. */
  readonly bind: string;
}

const settings: Readonly<Record<WayName, Setting>> = {
  grpc: {
    on: 'set `enable = true` in the `[grpc]` section of app.toml and restart the node',
    bind: '`address` in the `[grpc]` section of app.toml (`localhost:9090` unless changed)',
  },
  rest: {
    on: 'set `enable = true` in the `[api]` section of app.toml and restart the node',
    bind: '`address` in the `[api]` section of app.toml (`tcp://localhost:1317` unless changed)',
  },
  rpc: {
    on: 'check `laddr` in the `[rpc]` section of config.toml',
    bind: '`laddr` in the `[rpc]` section of config.toml (`tcp://127.0.0.1:26657` unless changed)',
  },
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

export const portRefused = ofCause('port-refused', 'refused', ({ name, title, address, host }, { ways }) => {
  const isUp = [...ways.values()].some(({ failure }) => failure === undefined);
  const { on, bind } = settings[name];
  if (!isLoopback(host)) {
    // A remote check sees only the refusal: the rest is inferred, and the text states so.
    const elsewhere = `This is inferred from the refusal. If it is on, it listens only locally or on another port (see ${bind}), or a firewall refuses this machine.`;
    return isUp
      ? {
          says: `${title} is probably off: ${address} refuses connections`,
          advice: `To enable it, ${on}. ${elsewhere}`,
        }
      : {
          says: `${address} (${title}) refuses connections`,
          advice: `Check whether the node is running. ${elsewhere}`,
        };
  }
  const elsewhere = `If it is on, see ${bind} for its port.`;
  return isUp
    ? { says: `${title} is off: nothing listens at ${address}`, advice: `To enable it, ${on}. ${elsewhere}` }
    : { says: `Nothing listens at ${address} (${title})`, advice: `Check whether the node is running. ${elsewhere}` };
});

export const portUnreachable = ofCause('port-unreachable', 'unreachable', ({ title, address }) => ({
  says: `${address} (${title}) is unreachable from here`,
  advice: 'Check the address and the routes of this machine, and for an IPv6 address whether this machine has IPv6.',
}));

export const portSilent = ofCause('port-silent', 'silent', ({ title, address }) => ({
  says: `${address} (${title}) neither accepts nor refuses connections`,
  advice:
    'A firewall drops the packets, or the machine is off. Open the port for this machine, or use a machine that has access.',
}));

export const portHangs = ofCause('port-hangs', 'hangs', ({ title, address }, { timeoutMs }) => ({
  says: `${address} (${title}) accepts connections but does not answer within ${timeoutMs / 1_000} s`,
  advice:
    'Check the process behind the port: the node may hang, or a proxy may wait for it. If it is only slow, use a longer --timeout.',
}));

export const speaksTls = ofCause('speaks-tls', 'speaks_tls', ({ title, address, name }) => ({
  says: `${address} (${title}) expects TLS, but the address is without TLS`,
  advice: `Write ${name === 'grpc' ? `https://${address.replace(/^\w+:\/\//, '')}` : address.replace(/^http:/, 'https:')}.`,
}));

export const speaksNoTls = ofCause('speaks-no-tls', 'speaks_no_tls', ({ title, address, name }) => ({
  says: `${address} (${title}) does not use TLS, but the address is with TLS`,
  advice: `Write ${name === 'grpc' ? address.replace(/^https:\/\//, '') : address.replace(/^https:/, 'http:')}, or put a proxy with TLS in front of it; nodes have no TLS.`,
}));

export const certificateRefused = ofCause('certificate-refused', 'untrusted', ({ title, address, wire }) => ({
  says: `This machine does not trust the certificate of ${address} (${title}): ${oneLine(wire.tls?.distrust ?? '', 60)}`,
  advice:
    'Serve the full certificate chain for that name from a known authority, or add the authority here (NODE_EXTRA_CA_CERTS).',
}));

export const noHttp2 = ofCause('no-http2', 'no_http2', ({ address }) => ({
  says: `${address} uses TLS but does not offer HTTP/2, which gRPC requires`,
  advice: 'Let the proxy offer HTTP/2 (ALPN `h2`) and forward it as gRPC: `http2 on` with `grpc_pass` in nginx.',
}));

export const wrongPort = ofCause('wrong-port', 'wrong_port', (failed) => {
  const owner = strangerAt(failed) ?? failed.name;
  return {
    says: `${wayTitles[owner]} answers at ${failed.address}, not ${failed.title}`,
    advice: `Use it as \`${owner}\`; the default ports are 9090 for gRPC, 1317 for REST and 26657 for the consensus RPC.`,
  };
});

export const rateLimited = ofCause('rate-limited', 'rate_limited', ({ title, address, failure: { retryAfterMs } }) => ({
  says: `${address} (${title}) limits the request rate (429${retryAfterMs === undefined ? '' : `, retry in ${span(retryAfterMs)}`})`,
  advice:
    'Try again later. For permanent monitoring, use your own node or an access key, or raise the intervals of `poll` in the configuration.',
}));

export const redirected = ofCause('redirected', 'redirected', ({ title, address, wire }) => ({
  says: `${address} (${title}) redirects${wire.page?.location === undefined ? '' : ` to ${oneLine(wire.page.location, 100)}`}`,
  advice: 'Use the target address: redirects are not followed.',
}));

/** HTTP statuses that a proxy returns for a node that it cannot reach. */
const gatewayStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Addresses that serve web pages and no node interface, if no transport leads to one and no proxy reports one. */
const webServers = (diagnosis: Diagnosis): readonly Failed[] => {
  const pages = failedWays(diagnosis).filter((failed) => causeOf(failed) === 'proxy');
  const isNode = [...diagnosis.ways.values()].some(({ failure }) => failure === undefined);
  const isProxy = pages.some(({ failure, wire }) =>
    [failure.httpStatus, wire.page?.status].some((status) => gatewayStatuses.has(status)),
  );
  return isNode || isProxy ? [] : pages;
};

/** One piece of advice, regardless of the number of transports that lead there. */
export const notANode: FindingRule = {
  id: 'not-a-node',
  find(diagnosis) {
    const pages = webServers(diagnosis);
    if (pages.length === 0) return undefined;
    const places = [...new Set(pages.map(({ address }) => address))].join(', ');
    return {
      says: `${places} is not a node: a web server answers there`,
      advice: 'Use the addresses of a node; the default ports are 9090 for gRPC, 1317 for REST and 26657 for RPC.',
    };
  },
};

const answeredByProxy = ofCause('proxy-answers', 'proxy', ({ title, address, failure, wire }) => {
  const what = wire.page?.kind === 'html' ? 'an HTML page' : 'an answer that no node gives';
  const status = failure.httpStatus === undefined ? '' : ` (HTTP ${failure.httpStatus})`;
  return {
    says: `A proxy answers at ${address} instead of ${title}, with ${what}${status}`,
    advice:
      'Check what the proxy forwards, whether the node behind it is running, and the host and path of the address.',
  };
});

export const proxyAnswers: FindingRule = {
  ...answeredByProxy,
  find: (diagnosis) => (webServers(diagnosis).length > 0 ? undefined : answeredByProxy.find(diagnosis)),
};

/** One piece of advice, regardless of the number of transports that report it. */
export const starting: FindingRule = {
  id: 'starting',
  find(diagnosis) {
    const titles = failedWays(diagnosis).flatMap((failed) => (causeOf(failed) === 'starting' ? failed.title : []));
    if (titles.length === 0) return undefined;
    return {
      says: `The node has no block yet (reported over ${titles.join(' and ')})`,
      advice: 'Wait for its first block or its snapshot. If that takes long, check its peers and its log.',
    };
  },
};

/** The protocol works, but the hub's service is missing. */
export const otherNetwork = ofCause('other-network', 'other_network', ({ title, address }) => ({
  says: `${address} answers ${title} but does not know the services of hub v12`,
  advice: 'It serves another chain, another release or other names: check the address, or set --naming.',
}));

export const otherFailure = ofCause('not-answered', 'other', ({ title, address, failure }) => ({
  says: `${title} at ${address} failed: ${oneLine(failure.text)}`,
  advice: 'Try again. If it persists, check the log of the node.',
}));

/** A name with several addresses of which some accept no connection. */
export const deadAddress: FindingRule = {
  id: 'dead-address',
  find: (diagnosis) =>
    failedWays(diagnosis).flatMap(({ wire: { reached }, host, title }) => {
      const open = reached.filter(({ tcp }) => tcp === 'open').map(({ ip }) => ip);
      const dead = reached.filter(({ tcp }) => tcp !== 'open').map(({ ip }) => ip);
      if (open.length === 0 || dead.length === 0) return [];
      return {
        says: `${host} has ${reached.length} addresses, but ${title} does not accept connections at ${dead.join(', ')}`,
        advice: `Let the node listen there too, remove the record, or use the address that works: ${open.join(', ')}.`,
      };
    }),
};

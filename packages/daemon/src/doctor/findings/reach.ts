import { oneLine, span } from '../../words.js';
import type { Diagnosis } from '../diagnosis.js';
import { type WayName, wayTitles } from '../subject.js';
import { type Cause, causeOf, type Failed, failedWays, strangerAt } from './cause.js';
import type { Advice, FindingRule } from './finding.js';

/** A finding for each way that failed for one cause. */
const ofCause = (id: string, cause: Cause, advise: (failed: Failed, diagnosis: Diagnosis) => Advice): FindingRule => ({
  id,
  find: (diagnosis) =>
    failedWays(diagnosis)
      .filter((failed) => causeOf(failed) === cause)
      .map((failed) => advise(failed, diagnosis)),
});

/** One piece of advice for a name, whatever ways go over it. */
export const nameUnknown: FindingRule = {
  id: 'name-unknown',
  find: (diagnosis) =>
    [...new Set(failedWays(diagnosis).flatMap((failed) => (causeOf(failed) === 'name' ? failed.host : [])))].map(
      (host) => ({
        says: `${host} resolves to no address from here`,
        advice: 'Check the spelling of the name, its DNS record, and the resolver of this machine.',
      }),
    ),
};

interface Setting {
  /** What switches the way on. */
  readonly on: string;
  /** Where it listens. */
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
    on: 'look at `laddr` in the `[rpc]` section of config.toml',
    bind: '`laddr` in the `[rpc]` section of config.toml (`tcp://127.0.0.1:26657` unless changed)',
  },
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

export const portRefused = ofCause('port-refused', 'refused', ({ name, title, address, host }, { ways }) => {
  const isUp = [...ways.values()].some(({ failure }) => failure === undefined);
  const { on, bind } = settings[name];
  if (!isLoopback(host)) {
    // From afar a refusal is all there is: the rest is inferred, and says so.
    const elsewhere = `This is inferred from the refusal: if it is on, it listens for its own machine alone or at another port (${bind} says where), or a firewall refuses this machine.`;
    return isUp
      ? { says: `${title} seems to be off: ${address} refuses connections`, advice: `To have it, ${on}. ${elsewhere}` }
      : { says: `${address} (${title}) refuses connections`, advice: `See whether the node runs. ${elsewhere}` };
  }
  const elsewhere = `If it is on, ${bind} names another port.`;
  return isUp
    ? { says: `${title} is off: nothing listens at ${address}`, advice: `To have it, ${on}. ${elsewhere}` }
    : { says: `Nothing listens at ${address} (${title})`, advice: `See whether the node runs. ${elsewhere}` };
});

export const portUnreachable = ofCause('port-unreachable', 'unreachable', ({ title, address }) => ({
  says: `There is no way from here to ${address} (${title})`,
  advice: 'Check the address and the routes of this machine; for an IPv6 address, whether it has IPv6 at all.',
}));

export const portSilent = ofCause('port-silent', 'silent', ({ title, address }) => ({
  says: `${address} (${title}) takes no connection and refuses none`,
  advice: 'A firewall drops it, or the machine is off. Open the port for this machine, or ask from one that may.',
}));

export const portHangs = ofCause('port-hangs', 'hangs', ({ title, address }, { timeoutMs }) => ({
  says: `${address} (${title}) takes connections and gives no answer in ${timeoutMs / 1_000} s`,
  advice:
    'Look at the process behind the port: a node that hangs, or a proxy that waits for one. If it is only slow, ask again with a longer --timeout.',
}));

export const speaksTls = ofCause('speaks-tls', 'speaks_tls', ({ title, address, name }) => ({
  says: `${address} (${title}) speaks TLS, and was asked without`,
  advice: `Write ${name === 'grpc' ? `https://${address.replace(/^\w+:\/\//, '')}` : address.replace(/^http:/, 'https:')}.`,
}));

export const speaksNoTls = ofCause('speaks-no-tls', 'speaks_no_tls', ({ title, address, name }) => ({
  says: `${address} (${title}) was asked over TLS, and speaks none`,
  advice: `Write ${name === 'grpc' ? address.replace(/^https:\/\//, '') : address.replace(/^https:/, 'http:')}, or put a proxy with TLS before it: a node itself has none.`,
}));

export const certificateRefused = ofCause('certificate-refused', 'untrusted', ({ title, address, wire }) => ({
  says: `This machine does not trust the certificate of ${address} (${title}): ${oneLine(wire.tls?.distrust ?? '', 60)}`,
  advice:
    'Serve the whole chain of a certificate for that name from a known authority, or make the authority known here (NODE_EXTRA_CA_CERTS).',
}));

export const noHttp2 = ofCause('no-http2', 'no_http2', ({ address }) => ({
  says: `${address} speaks TLS but does not offer HTTP/2, which gRPC needs`,
  advice: 'Let the proxy offer HTTP/2 (ALPN `h2`) and pass it on as gRPC: `http2 on` with `grpc_pass` in nginx.',
}));

export const wrongPort = ofCause('wrong-port', 'wrong_port', (failed) => {
  const owner = strangerAt(failed) ?? failed.name;
  return {
    says: `At ${failed.address} answers ${wayTitles[owner]}, not ${failed.title}`,
    advice: `Give it as \`${owner}\`; the usual ports are 9090 for gRPC, 1317 for REST and 26657 for the consensus RPC.`,
  };
});

export const rateLimited = ofCause('rate-limited', 'rate_limited', ({ title, address, failure: { retryAfterMs } }) => ({
  says: `${address} (${title}) asks for fewer requests (429${retryAfterMs === undefined ? '' : `, again in ${span(retryAfterMs)}`})`,
  advice:
    'Ask later. To watch it for good, use a node of your own or an agreed key, or raise the intervals of `poll` in the configuration.',
}));

export const redirected = ofCause('redirected', 'redirected', ({ title, address, wire }) => ({
  says: `${address} (${title}) redirects${wire.page?.location === undefined ? '' : ` to ${oneLine(wire.page.location, 100)}`}`,
  advice: 'Write the address that it leads to: redirects are not followed.',
}));

/** What a proxy answers for a node that it cannot reach. */
const gatewayStatuses: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** Addresses at which pages are served and nothing of a node, when no way leads to one and no proxy speaks of one. */
const webServers = (diagnosis: Diagnosis): readonly Failed[] => {
  const pages = failedWays(diagnosis).filter((failed) => causeOf(failed) === 'proxy');
  const isNode = [...diagnosis.ways.values()].some(({ failure }) => failure === undefined);
  const isProxy = pages.some(({ failure, wire }) =>
    [failure.httpStatus, wire.page?.status].some((status) => gatewayStatuses.has(status)),
  );
  return isNode || isProxy ? [] : pages;
};

/** One piece of advice, however many ways lead there. */
export const notANode: FindingRule = {
  id: 'not-a-node',
  find(diagnosis) {
    const pages = webServers(diagnosis);
    if (pages.length === 0) return undefined;
    const places = [...new Set(pages.map(({ address }) => address))].join(', ');
    return {
      says: `${places} is not a node: a web server answers there, and nothing of a node`,
      advice: 'Give the addresses of a node; the usual ports are 9090 for gRPC, 1317 for REST and 26657 for RPC.',
    };
  },
};

const answeredByProxy = ofCause('proxy-answers', 'proxy', ({ title, address, failure, wire }) => {
  const what = wire.page?.kind === 'html' ? 'a page of HTML' : 'something that no node says';
  const status = failure.httpStatus === undefined ? '' : ` (HTTP ${failure.httpStatus})`;
  return {
    says: `A proxy answers at ${address} in place of ${title}, with ${what}${status}`,
    advice:
      'Look at what the proxy passes on, and whether the node behind it runs; check host and path of the address.',
  };
});

export const proxyAnswers: FindingRule = {
  ...answeredByProxy,
  find: (diagnosis) => (webServers(diagnosis).length > 0 ? undefined : answeredByProxy.find(diagnosis)),
};

/** One piece of advice, however many ways say so. */
export const starting: FindingRule = {
  id: 'starting',
  find(diagnosis) {
    const titles = failedWays(diagnosis).flatMap((failed) => (causeOf(failed) === 'starting' ? failed.title : []));
    if (titles.length === 0) return undefined;
    return {
      says: `The node has no block yet, as it says over ${titles.join(' and ')}`,
      advice:
        'Wait until it has its first block, or the snapshot that it starts from; if that takes long, look at its peers and its log.',
    };
  },
};

/** The protocol works, and the service of the hub is not there. */
export const otherNetwork = ofCause('other-network', 'other_network', ({ title, address }) => ({
  says: `${address} speaks ${title} and does not know the services of hub v12`,
  advice: 'It serves another chain, another release or other names: check the address, or give --naming.',
}));

export const otherFailure = ofCause('not-answered', 'other', ({ title, address, failure }) => ({
  says: `${title} at ${address} failed: ${oneLine(failure.text)}`,
  advice: 'Ask again; if it stays, look at the log of the node.',
}));

/** A name with several addresses of which some take no connection. */
export const deadAddress: FindingRule = {
  id: 'dead-address',
  find: (diagnosis) =>
    failedWays(diagnosis).flatMap(({ wire: { reached }, host, title }) => {
      const open = reached.filter(({ tcp }) => tcp === 'open').map(({ ip }) => ip);
      const dead = reached.filter(({ tcp }) => tcp !== 'open').map(({ ip }) => ip);
      if (open.length === 0 || dead.length === 0) return [];
      return {
        says: `${host} has ${reached.length} addresses, and ${title} takes no connection at ${dead.join(', ')}`,
        advice: `Let the node listen there too, remove the record, or write the address that works: ${open.join(', ')}.`,
      };
    }),
};

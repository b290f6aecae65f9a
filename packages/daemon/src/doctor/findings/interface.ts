import { allMethods } from '@hubwatch/types/gen/methods/all';
import { oneLine } from '../../words.js';
import { wayTitles } from '../subject.js';
import type { Diagnosis } from '../diagnosis.js';
import type { FindingRule } from './finding.js';

/** Services that a node of hub v12 serves. */
export const interfaceServices: ReadonlySet<string> = new Set(allMethods.map(({ service }) => service));

/**
 * Difference between the services that reflection lists and those of the interface; `undefined` if they are unknown.
 */
export const serviceDifference = ({
  application: { services },
}: Diagnosis): { readonly missing: readonly string[]; readonly further: readonly string[] } | undefined => {
  if (services?.state !== 'known') return undefined;
  const listed = new Set(services.value);
  return {
    missing: [...interfaceServices].filter((name) => !listed.has(name)),
    further: [...listed].filter((name) => !interfaceServices.has(name)),
  };
};

export const namingUnknown: FindingRule = {
  id: 'naming-unknown',
  find: ({ naming, ways }) =>
    naming === undefined && [...ways.values()].some(({ failure }) => failure === undefined)
      ? {
          says: 'The names of the network could not be detected; the names of the public network were used',
          advice: 'Set `naming: public` or `naming: neutral` (--naming).',
        }
      : undefined,
};

export const servicesMissing: FindingRule = {
  id: 'services-missing',
  find(diagnosis) {
    const missing = serviceDifference(diagnosis)?.missing ?? [];
    if (missing.length === 0) return undefined;
    return {
      says: `The node lacks ${missing.length} of the ${interfaceServices.size} services of hub v12: ${some(missing)}`,
      advice:
        'It runs another release, or a proxy publishes only some services. Compare the versions; `hubwatch-codegen drift` lists each difference.',
    };
  },
};

export const methodsRefused: FindingRule = {
  id: 'methods-refused',
  find: ({ application: { refused, asked } }) =>
    [...asked].flatMap(([way, count]) => {
      const methods = refused.filter((one) => one.way === way).map(({ method }) => method);
      if (methods.length === 0) return [];
      return {
        says: `${wayTitles[way]} refuses ${methods.length} of the ${count} tried methods that hub v12 serves: ${some(methods)}`,
        advice: 'Let the proxy forward every path, or compare the versions: the node may run another release.',
      };
    }),
};

/** Release whose interface this program knows. */
const knownRelease = 12;

export const otherRelease: FindingRule = {
  id: 'other-release',
  find({ application: { version } }) {
    const release = /^v?(\d+)\./.exec(version ?? '')?.[1];
    if (release === undefined || Number(release) === knownRelease) return undefined;
    return {
      says: `The node runs release ${oneLine(version ?? '', 40)}, but this program supports hub v${knownRelease}`,
      advice: 'Use the hubwatch version for that release. Answers in other formats are rejected.',
    };
  },
};

const shown = 3;

const some = (names: readonly string[]): string =>
  `${names.slice(0, shown).join(', ')}${names.length > shown ? ` and ${names.length - shown} more` : ''}`;

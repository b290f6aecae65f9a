import { allMethods } from '@hubwatch/types/gen/methods/all';
import { oneLine } from '../../words.js';
import { wayTitles } from '../subject.js';
import type { Diagnosis } from '../diagnosis.js';
import type { FindingRule } from './finding.js';

/** Services that a node of hub v12 serves. */
export const interfaceServices: ReadonlySet<string> = new Set(allMethods.map(({ service }) => service));

/** How the services that reflection lists differ from those of the interface; `undefined` when they are not known. */
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
          says: 'The names that it speaks could not be found out; those of the public network were taken',
          advice: 'Give `naming: public` or `naming: neutral` (--naming) to say which.',
        }
      : undefined,
};

export const servicesMissing: FindingRule = {
  id: 'services-missing',
  find(diagnosis) {
    const missing = serviceDifference(diagnosis)?.missing ?? [];
    if (missing.length === 0) return undefined;
    return {
      says: `It lacks ${missing.length} of the ${interfaceServices.size} services of hub v12: ${some(missing)}`,
      advice:
        'It runs another release, or only a part of the services is published. Compare its version; `hubwatch-codegen drift` tells line by line.',
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
        says: `Over ${wayTitles[way]} it refuses ${methods.length} of the ${count} methods that were tried and that hub v12 serves: ${some(methods)}`,
        advice: 'Let the proxy pass every path on, or compare its version: it may run another release.',
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
      says: `It runs release ${oneLine(version ?? '', 40)}, and this program knows hub v${knownRelease}`,
      advice: 'Use a hubwatch of that release; answers of other shapes are refused, not guessed.',
    };
  },
};

const shown = 3;

const some = (names: readonly string[]): string =>
  `${names.slice(0, shown).join(', ')}${names.length > shown ? ` and ${names.length - shown} more` : ''}`;

import { stringify } from 'yaml';

/** Text of a YAML file with a note at its top; long values stay on their line. */
export const yamlFile = (note: readonly string[], content: object): string =>
  `${note.map((line) => `# ${line}\n`).join('')}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`;

import { stringify } from 'yaml';

/** Formats a YAML file with a comment at its top; long values are not broken. */
export const yamlFile = (note: readonly string[], content: object): string =>
  `${note.map((line) => `# ${line}\n`).join('')}${stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })}`;

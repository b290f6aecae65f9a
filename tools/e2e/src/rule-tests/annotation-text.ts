/** Inputs of the alert texts. */
export interface AnnotationFacts {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number | undefined;
}

/** Renders an annotation like Prometheus, for the template functions that the exported alerts use. */
export function annotationText(template: string, facts: AnnotationFacts): string {
  return template
    .replace(/\{\{ if \$labels\.(\w+) \}\}(.*)\{\{ else \}\}(.*)\{\{ end \}\}/, (_all, label: string, yes, no) =>
      facts.labels[label] === undefined ? String(no) : String(yes),
    )
    .replaceAll(/\{\{ \$(?:labels\.(\w+)|value)(?: \| ([^}]+))? \}\}/g, (all, label: string | undefined, filter) => {
      const given = label === undefined ? facts.value : facts.labels[label];
      if (given === undefined) throw new Error(`the case gives nothing for ${all}`);
      return filtered(given, String(filter ?? ''));
    });
}

function filtered(given: number | string, filter: string): string {
  switch (filter) {
    case '':
      return String(given);
    case 'printf "%.0f"':
      return Number(given).toFixed(0);
    case 'humanizeDuration':
      return duration(Number(given));
    case 'humanizeTimestamp':
      return `${new Date(Number(given) * 1_000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`;
    case 'humanize1024':
      return inPrefixes(Number(given));
    default:
      throw new Error(`unknown template function ${filter}`);
  }
}

function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)}ms`;
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [Math.floor(seconds) % 60, 's'],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  return parts
    .slice(first === -1 ? 3 : first)
    .map(([count, unit]) => `${count}${unit}`)
    .join(' ');
}

function inPrefixes(value: number): string {
  const prefixes = ['', 'ki', 'Mi', 'Gi'];
  const power = Math.min(prefixes.length - 1, Math.floor(Math.log2(value) / 10));
  return `${Number((value / 1_024 ** power).toPrecision(4))}${prefixes[power]}`;
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Formats bytes as `512 B`, `4.1 kB` or `12 MB`: decimal units, two digits for small numbers. */
export function byteText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1_000;
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

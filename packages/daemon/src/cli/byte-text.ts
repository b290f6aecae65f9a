const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `512 B`, `4.1 kB`, `12 MB`: thousands, two digits of a small number. */
export function byteText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 999.5 && unit < units.length - 1; unit += 1) value /= 1_000;
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit] ?? ''}`;
}

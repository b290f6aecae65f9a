/** A page with its title, an introduction and sections. */
export function page(title: string, intro: string, parts: readonly string[]): string {
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}

/** A table; `|` is escaped in its cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A page of generated documentation. */
export function page(title: string, intro: string, parts: readonly string[]): string {
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function code(text: string): string {
  return `\`${text}\``;
}

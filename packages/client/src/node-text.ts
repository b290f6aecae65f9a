/**
 * Characters of a node's text that are matched and kept. A refusal has some hundred, a panic with its stack a few
 * thousand.
 */
const mostLength = 4_096;

/**
 * The beginning of a text from a node. Some patterns take quadratic time, which could be hours for an unlimited text.
 */
export function nodeText(text: string): string {
  return text.length > mostLength ? text.slice(0, mostLength) : text;
}

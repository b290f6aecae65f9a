/** Characters of a text of a node that are matched and kept: a refusal has some hundred, a panic with its stack a few thousand. */
const mostLength = 4_096;

/** The beginning of a text of a node. Some patterns take quadratic time, which a text without a limit would make hours. */
export function nodeText(text: string): string {
  return text.length > mostLength ? text.slice(0, mostLength) : text;
}

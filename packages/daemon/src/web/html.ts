/** Text that is safe to send as HTML. Only `html` creates it. */
export interface Html {
  readonly html: string;
}

type Part = Html | string | number | undefined | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes every interpolated value; control and direction characters in hostile text are shown as `·`. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, index) => (index < parts.length ? text + written(parts[index]) : text)).join(''),
});

const written = (part: Part): string => {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeText(part);
  return 'html' in part ? part.html : part.map(written).join('');
};

/** Most texts need no escaping, and one failed search is much cheaper than several replacements. */
const suspect = /[&<>"']|[^\n -~\u00a0-\u200a\u2010-\u2029\u202f-\u2065\u206a-\ufefe\uff00-\uffff]/;

const escapeText = (text: string): string =>
  suspect.test(text)
    ? text
        .replace(/[&<>"']/g, (letter) => entities[letter] ?? '')
        .replace(/(?!\n)[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '·')
    : text;

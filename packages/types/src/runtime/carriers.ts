import type { Carrier } from './table.js';

/** Type URLs, names of types and services, and method paths; also several of them, separated by non-letters. */
export const typeNames: Carrier = {
  toWire: (text, naming) => naming.typeToWire(text),
  fromWire: (text, naming) => naming.typeFromWire(text),
};

/** Paths of proto files. */
export const fileNames: Carrier = {
  toWire: (text, naming) => naming.fileToWire(text),
  fromWire: (text, naming) => naming.fileFromWire(text),
};

/** Names of fields and of their JSON members. */
export const memberNames: Carrier = {
  toWire: (text, naming) => naming.memberToWire(text),
  fromWire: (text, naming) => naming.memberFromWire(text),
};

/** A quoted JSON string. */
const jsonText = '"(?:[^"\\\\]|\\\\.)*"';

/**
 * JSON of legacy signing: translates the type of each message, and the members of messages that are known to contain
 * type names.
 */
export const aminoJson: Carrier = {
  toWire: (text, naming) =>
    inAminoJson(
      text,
      (name) => naming.aminoToWire(name),
      (name) => naming.typeToWire(name),
    ),
  fromWire: (text, naming) =>
    inAminoJson(
      text,
      (name) => naming.aminoFromWire(name),
      (name) => naming.typeFromWire(name),
    ),
};

type Rename = (name: string) => string;

function inAminoJson(text: string, amino: Rename, type: Rename): string {
  const members = new RegExp(
    `("type"\\s*:\\s*)(${jsonText})|("(?:msg|msg_type_url)"\\s*:\\s*)(${jsonText})|("(?:allowed_messages|allow_messages)"\\s*:\\s*)(\\[[^\\]]*\\])`,
    'g',
  );
  return text.replace(
    members,
    (
      whole,
      beforeType?: string,
      typed?: string,
      beforeUrl?: string,
      url?: string,
      beforeUrls?: string,
      urls?: string,
    ) => {
      // The name is in quotes, which are not part of its segments.
      if (typed !== undefined) return `${beforeType}"${amino(typed.slice(1, -1))}"`;
      if (url !== undefined) return `${beforeUrl}${url.startsWith('"/') ? type(url) : url}`;
      return urls === undefined ? whole : `${beforeUrls}${type(urls)}`;
    },
  );
}

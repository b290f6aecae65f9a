import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Maximum number of content encodings that are decoded; servers use one. */
const mostLayers = 3;

/**
 * Decompresses a body while it is received. If one of the encodings is unknown, nothing is decoded.
 *
 * @param encoding the header `content-encoding`
 */
export async function unpackBody(body: Readable, encoding = ''): Promise<Readable> {
  const layers = encoding
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  const unpackers = layers.map((layer) => unpackerOf.get(layer));
  if (layers.length > mostLayers || unpackers.includes(undefined)) return body;
  let unpacked = body;
  // The last encoding was applied last.
  for (const unpacker of unpackers.reverse()) {
    const layer = await unpacker?.(unpacked);
    if (layer !== undefined) unpacked = pipeline(unpacked, layer.on('error', reported), reported);
  }
  return unpacked;
}

/** Ignores an error, which ends the reading of the body and is reported there. */
function reported(): void {
  // Nothing else to do.
}

// The decompressed part of a truncated response is used, as in browsers: its text is checked.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

type Unpacker = (packed: Readable) => Transform | Promise<Transform>;

const unpackerOf: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', () => createGunzip(zlibOptions)],
  ['x-gzip', () => createGunzip(zlibOptions)],
  ['br', () => createBrotliDecompress(brotliOptions)],
  ['deflate', createInflater],
]);

/** Some servers omit the zlib header, which the name `deflate` implies. */
async function createInflater(packed: Readable): Promise<Transform> {
  await once(packed, 'readable');
  const part = packed.read() as Buffer | null;
  if (part !== null) packed.unshift(part);
  const isZlib = ((part?.[0] ?? 0) & 15) === 8;
  return isZlib ? createInflate(zlibOptions) : createInflateRaw(zlibOptions);
}

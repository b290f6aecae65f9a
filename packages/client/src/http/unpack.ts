import { once } from 'node:events';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

/** Layers of packing that are taken off; servers use one. */
const mostLayers = 3;

/**
 * A body without its packing, as it is received. Where a layer is of an unknown kind nothing is taken off.
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
  // The last layer was applied last.
  for (const unpacker of unpackers.reverse()) {
    const layer = await unpacker?.(unpacked);
    if (layer !== undefined) unpacked = pipeline(unpacked, layer.on('error', reported), reported);
  }
  return unpacked;
}

/** An error ends the reading of the body, which reports it. */
function reported(): void {
  // Nothing else is to be done.
}

// What was unpacked of a cut answer is kept, as browsers do: its text is judged.
const zlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const brotliOptions = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

type Unpacker = (packed: Readable) => Transform | Promise<Transform>;

const unpackerOf: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ['gzip', () => createGunzip(zlibOptions)],
  ['x-gzip', () => createGunzip(zlibOptions)],
  ['br', () => createBrotliDecompress(brotliOptions)],
  ['deflate', createInflater],
]);

/** Some servers leave out the head of zlib, which the name `deflate` includes. */
async function createInflater(packed: Readable): Promise<Transform> {
  await once(packed, 'readable');
  const part = packed.read() as Buffer | null;
  if (part !== null) packed.unshift(part);
  const isZlib = ((part?.[0] ?? 0) & 15) === 8;
  return isZlib ? createInflate(zlibOptions) : createInflateRaw(zlibOptions);
}

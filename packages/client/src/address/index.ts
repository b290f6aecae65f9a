export { type Address, readAddress, writeAddress } from './bech32.js';
export { type AddressKind, convertAddress, withPrefix } from './convert.js';

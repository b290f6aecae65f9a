export { type RestRequest, writeRestRequest } from './request.js';
export { readRestResponse } from './response.js';
export { createRestTransport } from './transport.js';

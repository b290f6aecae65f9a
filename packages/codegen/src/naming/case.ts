/** `pagination_key` → `paginationKey`, the rule that protobuf uses for JSON names. */
export function toCamelCase(snake: string): string {
  return snake.replace(/_+(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** `QueryNodes` → `queryNodes`, `ABCIQuery` → `abciQuery`, `NFTs` → `nfts`. */
export function toConstantName(pascal: string): string {
  if (/^[A-Z]+s?$/.test(pascal)) return pascal.toLowerCase();
  return pascal.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (run) => run.toLowerCase());
}

/** `QueryService` → `query-service`. */
export function toKebabCase(pascal: string): string {
  return pascal.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2').toLowerCase();
}

/** `hub.node.v3.QueryService` → `hub/node/v3/query-service`, the module generated for a name. */
export function toModulePath(fullName: string): string {
  const segments = fullName.split('.');
  const simple = segments.pop() ?? fullName;
  return [...segments, toKebabCase(simple)].join('/');
}

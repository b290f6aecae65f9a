import { CodegenError } from '../codegen-error.js';
import type { Linked } from '../load/link.js';
import type { RestRuleModel, ServiceModel } from './model.js';

interface Route {
  readonly service: string;
  /** `<service>/<method>` */
  readonly method: string;
  readonly rule: RestRuleModel;
  /** Verb and path with every parameter as its pattern, `GET /hub/node/v3/nodes/*`. */
  readonly shape: string;
}

/**
 * Checks that no two served methods share a route. A gateway dispatches a URL to one method, so the other is not
 * served.
 *
 * @throws CodegenError naming both methods with their files
 */
export function checkRoutes(services: readonly ServiceModel[], linked: Linked): void {
  const byShape = new Map<string, Route>();
  const takers: Route[] = [];
  for (const route of services.flatMap(routesOf)) {
    const other = byShape.get(route.shape) ?? takers.find((taker) => takesAll(taker, route));
    if (other !== undefined) throw new CodegenError(conflict(other, route, linked));
    byShape.set(route.shape, route);
    if (route.shape.includes('**')) takers.push(route);
  }
}

function routesOf({ name, methods }: ServiceModel): Route[] {
  return methods
    .filter(({ availability }) => availability.rest.served)
    .flatMap((method) =>
      (method.rest ? [method.rest, ...(method.moreRoutes ?? [])] : []).map((rule) => ({
        service: name,
        method: `${name}/${method.name}`,
        rule,
        shape: `${rule.verb} ${rule.path.replace(/\{[^}=]+(?:=([^}]*))?\}/g, (_, pattern?: string) => pattern ?? '*')}`,
      })),
    );
}

/**
 * Whether a route with `**` matches every URL of one that its service declares later. If the longer route is declared
 * first, both can be reached.
 */
function takesAll(taker: Route, { service, shape }: Route): boolean {
  if (taker.service !== service || taker.shape === shape) return false;
  const pattern = taker.shape.split(/(\*\*?)/).map((part) => {
    if (part === '**') return '.+';
    return part === '*' ? '[^/]+' : part.replace(/[^\w]/g, '\\$&');
  });
  // A parameter matches literally: `*` is treated as any other text.
  return new RegExp(`^${pattern.join('')}$`).test(shape);
}

function conflict(one: Route, other: Route, linked: Linked): string {
  const named = ({ service, method, rule }: Route): string =>
    `${linked.registry.getService(service)?.file.proto.name ?? service}: ${method} (${rule.verb} ${rule.path})`;
  const isSame = one.shape === other.shape;
  const what = isSame ? 'have one route' : 'share URLs, and the first takes all of them';
  return `${named(one)} and ${named(other)} ${what}; give one of them another route, or say in availability.yaml why one is not served over REST`;
}

import type { AnyMethod } from '@hubwatch/types/runtime/method';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { legacyRoutes } from './legacy-routes.js';

export interface Route {
  readonly verb: string;
  /** Path segments; `{name}` matches one, `{name=**}` the rest. */
  readonly segments: readonly string[];
  /** The method of the route, or the name of a removed service. */
  readonly target: AnyMethod | { readonly goneService: string };
}

export interface Match {
  readonly route: Route;
  readonly params: ReadonlyMap<string, string>;
}

function splitTemplate(path: string): string[] {
  return path.split('/').slice(1);
}

/** Mounted routes in registration order, with wire names. Reflection, plan.v3 and provider.v3 are not mounted. */
export function mountedRoutes(methods: readonly AnyMethod[], naming: Naming): Route[] {
  const unmounted = /^(?:hub\.plan\.v3|hub\.provider\.v3|stack\.base\.reflection|grpc\.)/;
  const routes: Route[] = methods
    .filter((method) => method.rest !== undefined && !unmounted.test(method.service))
    .map((method) => {
      const rest = method.rest as NonNullable<AnyMethod['rest']>;
      return { verb: rest.verb, segments: splitTemplate(naming.routeToWire(rest.path)), target: method };
    });
  for (const [service, paths] of Object.entries(legacyRoutes)) {
    for (const path of paths) {
      const goneService = naming.typeToWire(service);
      routes.push({ verb: 'GET', segments: splitTemplate(naming.routeToWire(path)), target: { goneService } });
    }
  }
  return routes;
}

function matchOne(route: Route, segments: readonly string[]): Map<string, string> | undefined {
  const params = new Map<string, string>();
  for (const [i, part] of route.segments.entries()) {
    const variable = /^\{([^=}]+)(=\*\*)?\}$/.exec(part);
    if (variable?.[2] !== undefined) {
      params.set(variable[1] as string, segments.slice(i).join('/'));
      return params;
    }
    const segment = segments[i];
    if (segment === undefined) return undefined;
    if (variable === null && segment !== part) return undefined;
    if (variable !== null) params.set(variable[1] as string, segment);
  }
  return segments.length === route.segments.length ? params : undefined;
}

/** Returns the first route that matches the segments. */
export function matchRoute(routes: readonly Route[], verb: string, segments: readonly string[]): Match | undefined {
  for (const route of routes) {
    if (route.verb !== verb) continue;
    const params = matchOne(route, segments);
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

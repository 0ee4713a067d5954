import createFindMyWay from 'find-my-way';
import { ApiError, invalidField } from '../replies/api-error.ts';
import type { Params, Route } from './exchange.ts';

type RouteMatch = { readonly route: Route; readonly params: Params };

const NO_PARAMS: Params = Object.freeze({});
const NO_QUERY = {};
const UNKNOWN = '(unknown)';

export class Router {
  readonly #routes: Route[] = [];
  readonly #finder;
  readonly #unknown: RouteMatch;
  readonly #badUrl: RouteMatch;

  /** The path of the public URL, which a proxy should have removed. */
  constructor(paramLengthMax: number, prefix: () => string) {
    this.#finder = createFindMyWay({
      maxParamLength: paramLengthMax,
      querystringParser: () => NO_QUERY,
      onBadUrl: () => {},
    });
    this.#unknown = {
      route: { method: '', path: UNKNOWN, handle: ({ url }) => this.#reject(url, prefix()) },
      params: NO_PARAMS,
    };
    const badUrl = () => {
      throw invalidField('path', 'has a broken percent-encoding');
    };
    this.#badUrl = { route: { method: '', path: UNKNOWN, handle: badUrl }, params: NO_PARAMS };
  }

  add(route: Route): void {
    this.#routes.push(route);
    const pattern = route.path.replace(/\{([^}]+)\}/g, ':$1');
    this.#finder.on(route.method as 'GET', pattern, () => {}, route);
  }

  find(method: string, url: string): RouteMatch {
    // Node sends no body in response to HEAD.
    const found = this.#finder.find((method === 'HEAD' ? 'GET' : method) as 'GET', url);
    if (found === null) return this.#unknown;
    const { store: route, params } = found;
    if (route === null) return this.#badUrl;
    // The library accepts an empty segment as a parameter; no route ends in a slash.
    for (const name in params) if (params[name] === '') return this.#unknown;
    return { route, params };
  }

  #reject(url: string, prefix: string): never {
    const isRouteOf = (route: Route) => this.find(route.method, url).route === route;
    const methods = this.#routes
      .filter(isRouteOf)
      .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    if (methods.length === 0) {
      const isBelow = prefix !== '' && `${toPath(url)}/`.startsWith(`${prefix}/`);
      const message = isBelow
        ? `There is nothing at this path. The proxy must remove ${prefix}, the path of KEYPORT_PUBLIC_URL, from the paths that it forwards.`
        : undefined;
      throw new ApiError('not-found', { message });
    }
    throw new ApiError('method-not-allowed', { headers: { allow: methods.join(', ') } });
  }
}

/** The path that the router uses: `/%65xport/v1/orders` becomes `/export/v1/orders`. */
export function toPath(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').split(/[?#]/, 1)[0] ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

import { pathOf } from "@/shared/address.ts";
import { define } from "./state.ts";
import { routeClass } from "@/server/observability/http_metrics.ts";
import type { Services } from "@/server/services.ts";

/** Counts every request and its duration, also when it fails. Must be the first middleware. */
export function countRequests({ metrics, httpApi }: Services) {
  const isApi = (path: string) => httpApi.handles(path);
  return define.middleware(async (ctx) => {
    const start = performance.now();
    let status = 500;
    try {
      const response = await ctx.next();
      status = response.status;
      return response;
    } finally {
      metrics.http.answered(routeClass(pathOf(ctx.url), isApi), status, performance.now() - start);
    }
  });
}

import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { App } from "fresh";
import { Registry } from "prom-client";
import { parseConfig } from "@/server/config/config.ts";
import { refuseUnroutable, routingFault } from "@/http/refuse_unroutable.ts";
import { HttpMetrics } from "@/server/observability/metrics.ts";
import type { Services } from "@/server/services.ts";

const origin = "http://a.example";

describe("a request that Fresh cannot route", () => {
  const registry = new Registry();
  // It has what the guard uses of the services, and nothing else.
  const refuse = refuseUnroutable(
    {
      config: parseConfig({ APP_URL: "https://a.example" }),
      metrics: { http: new HttpMetrics(registry) },
      httpApi: { handles: (path: string) => path.startsWith("/apps/") },
    } as unknown as Services,
  );
  const rows: [what: string, method: string, url: string, status: number, route: string][] = [
    ["a malformed percent-encoding", "GET", `${origin}/wallboard/%`, 400, "page"],
    ["an encoding that is not UTF-8", "POST", `${origin}/apps/%ff/events`, 400, "api"],
    ["a method of WebDAV", "PROPFIND", `${origin}/`, 501, "page"],
    ["TRACE", "TRACE", `${origin}/up`, 501, "probe"],
    ["a malformed Host", "GET", "http://a b/", 400, "page"],
  ];
  for (const [what, method, url, status, route] of rows) {
    it(`is answered ${status} with the security headers, and counted: ${what}`, async () => {
      registry.resetMetrics();
      const response = refuse({ method, url } as Request);
      assert.equal(response?.status, status);
      assert.match(await response.text(), /^The .* is (malformed|not supported)\.\n$/);
      const { headers } = response;
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("strict-transport-security"), "max-age=31536000");
      const counted = `rollcall_http_requests_total{route="${route}",status="${status}"} 1`;
      assert.ok((await registry.metrics()).includes(counted));
    });
  }
});

it("a request that is not refused is one that Fresh routes without throwing", async () => {
  const handler = new App().all("/:id", (ctx) => ctx.text(ctx.params.id)).handler();
  const methods = fc.oneof(
    fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"),
    fc.stringMatching(/^[A-Z]{1,8}$/).filter((method) => !/^(CONNECT|TRACE|TRACK)$/.test(method)),
  );
  const paths = fc.array(fc.constantFrom("%", "%2", "%2F", "%ff", "%E2%9C%93", "a", "+", ";", "ß"));
  let routed = 0;
  await fc.assert(fc.asyncProperty(methods, paths, async (method, parts) => {
    const request = new Request(`${origin}/${parts.join("")}`, { method });
    const isRouted = await handler(request).then(({ status }) => status < 500, () => false);
    assert.ok(isRouted || routingFault(request) !== null);
    if (isRouted) routed++;
  }));
  assert.ok(routed > 0);
});

import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { metricsOfAll } from "@/server/observability/metrics.ts";

/** The metrics of a worker. */
async function metricsOf(worker: number, value: number) {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({ name: "plain", help: "Without labels", registers }).set(value);
  new Counter({ name: "labelled_total", help: 'With "labels"', labelNames: ["app"], registers })
    .inc({ app: 'a "b" {c}' }, value);
  new Histogram({ name: "seconds", help: "Of several lines", buckets: [1], registers })
    .observe(value);
  if (worker === 2) new Gauge({ name: "of_one", help: "Which one has", registers }).set(-0.5);
  return { worker, text: await registry.metrics() };
}

describe("the metrics of several workers", () => {
  it("are those of one program, each with the number of its worker", async () => {
    const all = [await metricsOf(2, 3), await metricsOf(1, 0.5)];
    assert.equal(
      metricsOfAll(all),
      `# HELP plain Without labels
# TYPE plain gauge
plain{worker="1"} 0.5
plain{worker="2"} 3

# HELP labelled_total With "labels"
# TYPE labelled_total counter
labelled_total{worker="1",app="a \\"b\\" {c}"} 0.5
labelled_total{worker="2",app="a \\"b\\" {c}"} 3

# HELP seconds Of several lines
# TYPE seconds histogram
seconds_bucket{worker="1",le="1"} 1
seconds_bucket{worker="1",le="+Inf"} 1
seconds_sum{worker="1"} 0.5
seconds_count{worker="1"} 1
seconds_bucket{worker="2",le="1"} 0
seconds_bucket{worker="2",le="+Inf"} 1
seconds_sum{worker="2"} 3
seconds_count{worker="2"} 1

# HELP of_one Which one has
# TYPE of_one gauge
of_one{worker="2"} -0.5
`,
    );
  });
});

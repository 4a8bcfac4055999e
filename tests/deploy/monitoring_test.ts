import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";

const page = Deno.readTextFileSync("docs/metrics.md");
const rulesText = Deno.readTextFileSync("deploy/prometheus/rules.yml");
const dashboardText = Deno.readTextFileSync("deploy/grafana/rollcall.json");

/** The metrics of `/metrics`: a test of the documents compares this page with them, both ways. */
const documented = new Set(page.match(/\b(rollcall|process)_[a-z_]+\b/g));

/** The metrics that a query names; a histogram has parts. */
function metricsIn(query: string): string[] {
  return (query.match(/\b(rollcall|process)_[a-z_]+\b/g) ?? [])
    .map((name) => documented.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
}

const sentence = z.string().regex(/^[A-Z{].{10,}[^.]$|^[A-Z].*\.$/);

const rule = z.strictObject({
  alert: z.string().regex(/^Rollcall[A-Z][A-Za-z]+$/),
  expr: z.string().regex(/^\S.*(==|!=|<|>).*\S$/),
  for: z.string().regex(/^\d+[smh]$/).optional(),
  severity: z.enum(["critical", "warning"]),
  summary: sentence,
  description: sentence,
});

/** The rules of the file, which has a line for each field. */
function rulesOf(text: string): Record<string, string>[] {
  return text.split(/^ {6}- /m).slice(1).map((block) => {
    const lines = block.split("\n").filter((line) => line.trim() !== "");
    const fields = lines.flatMap((line) => {
      const [, name, value] = /^(?: {8,10})?(\w+):(?: (.*))?$/.exec(line) ?? assert.fail(line);
      const [, severity] = /^\{ severity: (\w+) \}$/.exec(value ?? "") ?? [];
      if (severity !== undefined) return [["severity", severity]];
      return value === undefined ? [] : [[name, /^"/.test(value) ? JSON.parse(value) : value]];
    });
    return Object.fromEntries(fields);
  });
}

describe("the alert rules for Prometheus", () => {
  const rules = z.array(rule).parse(rulesOf(rulesText));

  it("name metrics that Rollcall has", () => {
    for (const { alert, expr } of rules) {
      const names = metricsIn(expr);
      assert.ok(names.length > 0 || expr.startsWith("up{"), alert);
      for (const name of names) assert.ok(documented.has(name), `${alert}: ${name}`);
    }
  });

  it("have one name each, and the page says all of them", () => {
    const names = rules.map(({ alert }) => alert);
    assert.ok(names.length >= 10);
    assert.deepEqual([...new Set(names)], names);
    const said = [...page.matchAll(/^\| `(Rollcall\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual(said, names);
  });

  it("add up no number that each server has of all of them", () => {
    const [, ofAll] = /^\| (`rollcall_users`, .*?) \|/m.exec(page) ?? assert.fail();
    const global = ofAll.match(/rollcall_\w+/g) ?? [];
    assert.ok(global.length >= 6);
    for (const query of [rulesText, dashboardText]) {
      for (const name of global) {
        assert.doesNotMatch(
          query,
          new RegExp(`\\bsum\\b[^()\\n]*(\\([^()]*\\) )?\\(${name}\\b`),
          name,
        );
      }
    }
  });
});

const target = z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string() });

const panel = z.object({
  id: z.int(),
  title: z.string().min(1),
  type: z.enum(["row", "stat", "timeseries"]),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(target).optional(),
});

const dashboard = z.object({
  title: z.literal("Rollcall"),
  uid: z.literal("rollcall"),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), query: z.string() })) }),
  panels: z.array(panel),
});

describe("the dashboard for Grafana", () => {
  const { panels, templating } = dashboard.parse(JSON.parse(dashboardText));

  it("shows metrics that Rollcall has, of the job that is chosen", () => {
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(queries.length >= 20);
    for (const query of queries) {
      const names = metricsIn(query);
      assert.ok(names.length > 0, query);
      for (const name of names) assert.ok(documented.has(name), name);
      assert.equal(query.match(/\{job="\$job"/g)?.length, names.length, query);
    }
    for (const { query } of templating.list) {
      for (const name of metricsIn(query)) assert.ok(documented.has(name), name);
    }
  });

  it("has each panel once, in a place of its own", () => {
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const one of panels) {
      const { x, y, w, h } = one.gridPos;
      assert.ok(x + w <= 24, one.title);
      const over = panels.filter((other) => {
        const { gridPos: at } = other;
        return other !== one && at.x < x + w && x < at.x + at.w && at.y < y + h && y < at.y + at.h;
      });
      assert.deepEqual(over.map(({ title }) => title), [], one.title);
    }
  });
});

import { strict as assert } from "node:assert";
import { Ajv } from "ajv";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { parse, parseAllDocuments } from "yaml";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor";
import { Deployment, type IDeployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { PersistentVolumeClaim, Service } from "kubernetes-models/v1";
import deno from "@/deno.json" with { type: "json" };
import { parseConfig } from "@/server/config/config.ts";
import { settings } from "@/server/config/settings.ts";

const chart = "deploy/helm/rollcall";

/** How long Go may take to build, in milliseconds. */
const timeoutMs = 300_000;

/** What the models of Kubernetes have; each refuses values that an API server would. */
const kinds = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceMonitor,
};

interface Resource {
  apiVersion: string;
  kind: keyof typeof kinds;
  metadata: { name: string; labels: Record<string, string> };
}

type Values = Record<string, unknown>;

const one = {
  appUrl: "https://rollcall.example.com/team",
  image: { repository: "registry.example.com/rollcall" },
};

const several = {
  ...one,
  appUrl: "https://rollcall.example.com",
  replicas: 3,
  database: { secretName: "database" },
  redis: { secretName: "redis" },
  trustedProxies: ["10.0.0.0/8", "127.0.0.1"],
  settings: { MAX_CONNECTIONS: 1_000_000, ADMIT_GUESTS: true, TIME_ZONE: "Europe/Berlin" },
  settingsSecretName: "settings",
  ingress: {
    enabled: true,
    className: "nginx",
    tlsSecretName: "certificate",
    annotations: { "nginx.ingress.kubernetes.io/proxy-read-timeout": "90" },
  },
  autoscaling: { enabled: true },
  networkPolicy: { from: [{ podSelector: { matchLabels: { app: "ingress" } } }] },
  metrics: { secretName: "metrics", serviceMonitor: { enabled: true, labels: { team: "web" } } },
  nodeSelector: { disk: "fast" },
  tolerations: [{ key: "web", operator: "Exists" }],
  affinity: { nodeAffinity: {} },
};

describe("the Helm chart", () => {
  let folder: string;
  const standard: Values = parse(Deno.readTextFileSync(`${chart}/values.yaml`));

  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-chart-" });
    const { code, stderr } = await new Deno.Command("/usr/bin/go", {
      args: ["build", "-o", `${folder}/render`, "tests/deploy/packaging/helm/render.go"],
      // Debian's packages of Go are there.
      env: { GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOCACHE: `${folder}/cache` },
      signal: AbortSignal.timeout(timeoutMs),
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  async function render(values: Values): Promise<{ text: string; errors: string }> {
    const child = new Deno.Command(`${folder}/render`, {
      args: [chart, "demo"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(JSON.stringify(merged(standard, values))));
    await writer.close();
    const { stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { text: decoder.decode(stdout), errors: decoder.decode(stderr) };
  }

  async function resources(values: Values): Promise<Resource[]> {
    const { text, errors } = await render(values);
    assert.equal(errors, "");
    const documents = parseAllDocuments(text, { version: "1.1" });
    return documents.map((each) => {
      assert.deepEqual("errors" in each ? each.errors : [], []);
      return each.toJS() as Resource;
    }).filter((each) => each !== null);
  }

  async function deployment(values: Values) {
    const found = (await resources(values)).find(({ kind }) => kind === "Deployment");
    const { spec } = found as unknown as IDeployment;
    const [container] = spec!.template.spec!.containers;
    return { spec: spec!, pod: spec!.template.spec!, container };
  }

  it("renders what Kubernetes accepts, for one server and for several", async () => {
    const lines: string[] = [];
    for (const values of [one, several]) {
      for (const resource of await resources(values)) {
        const Model = kinds[resource.kind];
        assert.ok(Model, resource.kind);
        new Model(resource as never).validate();
        assert.equal(resource.metadata.name, "demo-rollcall");
        // As a literal, whose unknown fields the types refuse.
        const { apiVersion, kind, ...fields } = resource;
        assert.equal(apiVersion, Model.apiVersion);
        lines.push(`new ${kind}(${JSON.stringify(fields)});`);
      }
    }
    assert.equal(lines.length, 4 + 7);
    const file = `${folder}/typed.ts`;
    const source = Deno.readTextFileSync("tests/deploy/packaging/helm/chart_test.ts");
    const imports = source.match(/^import .*(?:kubernetes-models|prometheus-operator).*$/gm)!;
    await Deno.writeTextFile(file, [...imports, ...lines].join("\n"));
    assert.deepEqual(await typeFaults(file), []);
    await Deno.writeTextFile(file, [...imports, ...lines].join("\n").replace('"ports"', '"porst"'));
    assert.notDeepEqual(await typeFaults(file), []);
  });

  it("has values that its schema allows, and refuses names and values that mean nothing", () => {
    const allows = new Ajv({ strict: false }).compile(
      JSON.parse(Deno.readTextFileSync(`${chart}/values.schema.json`)),
    );
    for (const values of [one, several]) {
      assert.ok(allows(merged(standard, values)), JSON.stringify(allows.errors));
    }
    const wrong: Values[] = [
      { appUrl: "rollcall.example.com" },
      { image: { repository: "" } },
      { replica: 2 },
      { replicas: 0 },
      { settings: { maxConnections: 1 } },
      { redis: { url: "redis://" } },
      { metrics: { serviceMonitor: { interval: "soon" } } },
    ];
    for (const values of wrong) {
      assert.ok(!allows(merged(standard, { ...one, ...values })), JSON.stringify(values));
    }
    assert.ok(!allows(standard), "the address and the image are required");
  });

  it("gives servers settings that there are, and secrets by reference only", async () => {
    const { container, pod } = await deployment(several);
    const plain = Object.fromEntries(
      container.env!.flatMap(({ name, value }) => value === undefined ? [] : [[name, value]]),
    );
    const unknown = container.env!.filter(({ name }) => !(name in settings));
    assert.deepEqual(unknown, []);
    const config = parseConfig({ ...plain, MAX_CONNECTIONS: plain.MAX_CONNECTIONS });
    assert.equal(config.appUrl.host, "rollcall.example.com");
    assert.equal(plain.MAX_CONNECTIONS, "1000000");
    assert.equal(plain.TRUSTED_PROXIES, "10.0.0.0/8,127.0.0.1");
    const referred = container.env!.flatMap(({ name, valueFrom }) =>
      valueFrom ? [[name, valueFrom.secretKeyRef!.name, valueFrom.secretKeyRef!.key]] : []
    );
    assert.deepEqual(referred, [
      ["DATABASE_URL", "database", "url"],
      ["REDIS_URL", "redis", "url"],
      ["METRICS_TOKEN", "metrics", "token"],
    ]);
    assert.equal(container.image, `registry.example.com/rollcall:${deno.version}`);
    assert.equal(pod.securityContext?.runAsUser, 10001);
  });

  it("lets a server stop in its own time, whatever the drain is", async () => {
    for (const drainSeconds of [0, 10, 120]) {
      const { pod, container } = await deployment({ ...several, drainSeconds });
      const [, seconds] = container.lifecycle!.preStop!.exec!.command!;
      const drain = container.env!.find(({ name }) => name === "DRAIN_MS")!.value;
      assert.equal(drain, String(drainSeconds * 1_000));
      assert.ok(pod.terminationGracePeriodSeconds! >= Number(seconds) + drainSeconds + 10);
    }
  });

  it("never runs two servers on one volume, and several only with what they share", async () => {
    const alone = await deployment(one);
    assert.deepEqual(alone.spec.strategy, { type: "Recreate" });
    assert.equal(alone.pod.volumes![0].persistentVolumeClaim?.claimName, "demo-rollcall");
    const together = await deployment({ ...several, autoscaling: { enabled: false } });
    assert.deepEqual(together.spec.strategy!.rollingUpdate, { maxUnavailable: 0, maxSurge: 1 });
    assert.equal(together.spec.replicas, 3);
    for (
      const values of [
        { replicas: 2 },
        { autoscaling: { enabled: true } },
        { redis: { secretName: "redis" } },
        { replicas: 2, database: { secretName: "database" } },
      ]
    ) {
      assert.match((await render({ ...one, ...values })).errors, /needs? database\.secretName/);
    }
    const { errors } = await render({ ...one, metrics: { serviceMonitor: { enabled: true } } });
    assert.match(errors, /serviceMonitor needs metrics\.secretName/);
  });

  it("finds the same pods by each selector, and the path of the address", async () => {
    const selector = { "app.kubernetes.io/name": "rollcall", "app.kubernetes.io/instance": "demo" };
    const { spec } = await deployment(several);
    assert.deepEqual(spec.selector.matchLabels, selector);
    for (const [name, value] of Object.entries(selector)) {
      assert.equal(spec.template.metadata!.labels![name], value);
    }
    const text = JSON.stringify(await resources(several));
    const all = text.match(/"(?:selector|matchLabels)":(?:\{"matchLabels":)?(\{"app\.k[^}]*\})/g)!;
    assert.equal(all.filter((each) => each.endsWith(JSON.stringify(selector))).length, all.length);
    const below = await resources({ ...one, ingress: { enabled: true } });
    assert.match(JSON.stringify(below), /"host":"rollcall.example.com".*"path":"\/team"/);
  });

  it("has the version of Rollcall", () => {
    const { version, appVersion } = parse(Deno.readTextFileSync(`${chart}/Chart.yaml`));
    assert.deepEqual([version, appVersion], [deno.version, deno.version]);
  });
});

/** Values over others, field by field, as Helm does. */
function merged(below: Values, above: Values): Values {
  const isFields = (value: unknown): value is Values =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  const fields = Object.entries(above).map(([name, value]): [string, unknown] => {
    const other = below[name];
    return [name, isFields(value) && isFields(other) ? merged(other, value) : value];
  });
  return { ...below, ...Object.fromEntries(fields) };
}

async function typeFaults(file: string): Promise<string[]> {
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--config=deno.dev.json", file],
    env: { NO_COLOR: "1" },
    signal: AbortSignal.timeout(timeoutMs),
  }).output();
  const lines = new TextDecoder().decode(stderr).split("\n");
  return lines.filter((line) => /^TS\d+ \[ERROR\]|^error/.test(line));
}

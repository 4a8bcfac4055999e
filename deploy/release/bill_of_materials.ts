import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import deno from "@/deno.json" with { type: "json" };

/** What the bill says of a package; the fields are those of CycloneDX. */
interface Component {
  type: "application" | "library" | "platform";
  "bom-ref": string;
  group?: string;
  name: string;
  version: string;
  purl?: string;
  hashes?: { alg: "SHA-256" | "SHA-512"; content: string }[];
  externalReferences?: { type: "distribution"; url: string }[];
}

/** The parts of `deno.lock` that name packages. */
interface Lock {
  npm?: Record<string, { integrity?: string }>;
  jsr?: Record<string, { integrity?: string }>;
}

/**
 * Lists what a release is made of, in the form of CycloneDX 1.6: the packages of the lock file with their
 * checksums, and the runtime. The same lock file makes the same text.
 *
 * @param lockText the content of `deno.lock`.
 */
export function billOfMaterials(lockText: string): string {
  const lock: Lock = JSON.parse(lockText);
  const components = [
    runtime(),
    ...Object.entries(lock.npm ?? {}).map(([key, { integrity }]) => ofNpm(key, integrity)),
    ...Object.entries(lock.jsr ?? {}).map(([key, { integrity }]) => ofJsr(key, integrity)),
  ];
  // One package may be locked several times, with other packages beside it.
  const each = new Map(components.map((component) => [component["bom-ref"], component]));
  const root: Component = {
    type: "application",
    "bom-ref": "rollcall",
    name: "rollcall",
    version: deno.version,
  };
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(deno.version + lockText)}`,
    version: 1,
    metadata: { component: root },
    components: [...each.values()],
    dependencies: [{ ref: root["bom-ref"], dependsOn: [...each.keys()] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function runtime(): Component {
  const version = Deno.version.deno;
  const purl = `pkg:github/denoland/deno@v${version}`;
  return { type: "platform", "bom-ref": purl, name: "deno", version, purl };
}

/** @param key such as `@better-auth/core@1.7.7_jose@6.2.17`: what follows `_` is beside it. */
function ofNpm(key: string, integrity?: string): Component {
  const [group, name, version] = partsOf(key);
  const purl = `pkg:npm/${group ? `%40${group.slice(1)}/` : ""}${name}@${version}`;
  const digest = integrity?.replace(/^sha512-/, "");
  return {
    type: "library",
    "bom-ref": purl,
    ...(group && { group }),
    name,
    version,
    purl,
    ...(digest && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
  };
}

/** Package URLs have no type for JSR. */
function ofJsr(key: string, integrity?: string): Component {
  const [group, name, version] = partsOf(key);
  return {
    type: "library",
    "bom-ref": `jsr:${key}`,
    ...(group && { group }),
    name,
    version,
    ...(integrity && { hashes: [{ alg: "SHA-256", content: integrity }] }),
    externalReferences: [{
      type: "distribution",
      url: `https://jsr.io/${group}/${name}/${version}_meta.json`,
    }],
  };
}

function partsOf(key: string): [group: string | undefined, name: string, version: string] {
  const match = /^(?:(@[^/]+)\/)?([^@/]+)@([^_]+)/.exec(key);
  if (!match) throw new Error(`deno.lock has ${JSON.stringify(key)}, which is no package`);
  return [match[1], match[2], match[3]];
}

/** An id that follows from a text, in the form of a UUID of version 8. */
function uuidOf(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
  return [...groups, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join("-");
}

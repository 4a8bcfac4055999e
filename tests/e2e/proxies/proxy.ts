import assert from "node:assert/strict";
import { join } from "node:path";
import type { Certificate } from "../../fixtures/certificates.ts";
import { reservePort } from "../../fixtures/reserved_port.ts";

/** Limit for a proxy to listen and to end, in milliseconds. */
const timeoutMs = 60_000;

/** The host name in the documented files. */
export const documentedName = "rollcall.example.com";

/** The environment of a proxy. */
export interface Surroundings {
  /** The proxy's own folder, with the certificate in `cert.pem` and `key.pem`. */
  folder: string;
  /** Free ports; the spare ones replace those on IPv6, which some machines do not have. */
  ports: Record<"http" | "https" | "spareHttp" | "spareHttps", number>;
  /** The port of the server behind it. */
  backend: number;
}

/** How to start a kind of proxy from its documented file. */
export interface ProxyKind {
  name: "nginx" | "Apache" | "Caddy";
  /** The documented file, in `docs/proxies/`. */
  file: string;
  /**
   * The changes that an operator makes to the file, and changes that make it listen on free ports and
   * write into its folder. Each text must be in the file.
   */
  changes(surroundings: Surroundings): Change[];
  /** Writes the files that the system provides. @returns the command that runs the proxy. */
  command(surroundings: Surroundings, documented: string): Promise<string[]>;
}

/** A proxy, as a process on a loopback address. */
export class Proxy implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #surroundings: Surroundings;
  readonly #reading: Promise<void>;
  #errors = "";

  private constructor(readonly kind: ProxyKind, surroundings: Surroundings, command: string[]) {
    const [program, ...args] = command;
    this.#surroundings = surroundings;
    this.#process = new Deno.Command(program, {
      args,
      cwd: "/",
      env: { HOME: surroundings.folder },
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#reading = this.#readErrors();
  }

  /**
   * Starts a proxy from its documented file, as nobody when this process is root.
   *
   * @param variant further changes of the file.
   */
  static async start(
    kind: ProxyKind,
    { certificate, backend, variant = [] }: {
      certificate: Certificate;
      backend: number;
      variant?: Change[];
    },
  ): Promise<Proxy> {
    const folder = await Deno.makeTempDir({ prefix: `rollcall-${kind.name.toLowerCase()}-` });
    await Deno.copyFile(certificate.certFile, join(folder, "cert.pem"));
    await Deno.copyFile(certificate.keyFile, join(folder, "key.pem"));
    const ports = {
      http: await reservePort(),
      https: await reservePort(),
      spareHttp: await reservePort(),
      spareHttps: await reservePort(),
    };
    const surroundings = { folder, ports, backend };
    const changes = [...variant, ...kind.changes(surroundings)];
    const command = await kind.command(surroundings, await documentedFile(kind.file, changes));
    const proxy = new Proxy(kind, surroundings, await asNobody(folder, command));
    if (await proxy.#listens()) return proxy;
    const log = await proxy.log();
    await proxy[Symbol.asyncDispose]();
    throw new Error(`${kind.name} does not listen:\n${log}`);
  }

  /** Such as `https://localhost:40123`. */
  get origin(): string {
    return `https://localhost:${this.#surroundings.ports.https}`;
  }

  /** Its origin for http, which redirects to https. */
  get plainOrigin(): string {
    return `http://localhost:${this.#surroundings.ports.http}`;
  }

  /** Its complete log. */
  async log(): Promise<string> {
    const { folder } = this.#surroundings;
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
      .filter((name) => name.endsWith(".log"));
    const files = await Promise.all(names.map((name) => Deno.readTextFile(join(folder, name))));
    return [this.#errors, ...files].join("");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal("SIGTERM");
    const ended = await inTime(timeoutMs, this.#process.status);
    if (!ended) this.#signal("SIGKILL");
    await this.#process.status;
    await this.#reading;
    await Deno.remove(this.#surroundings.folder, { recursive: true });
    assert.ok(ended, `${this.kind.name} ends at SIGTERM`);
  }

  #signal(signal: Deno.Signal): void {
    try {
      this.#process.kill(signal);
    } catch {
      // It has ended already.
    }
  }

  async #readErrors(): Promise<void> {
    const text = this.#process.stderr.pipeThrough(new TextDecoderStream());
    for await (const chunk of text) this.#errors += chunk;
  }

  /** Waits until it listens. @returns false when it ended or took too long. */
  async #listens(): Promise<boolean> {
    const giveUpAt = Date.now() + timeoutMs;
    const ended = this.#process.status.then(() => true);
    while (Date.now() < giveUpAt) {
      if (await inTime(50, ended)) return false;
      if (await connects(this.#surroundings.ports.https)) return true;
    }
    return false;
  }
}

/** @returns the value, or undefined when the time is over. */
async function inTime<Value>(ms: number, value: Promise<Value>): Promise<Value | undefined> {
  let timer: number | undefined;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(resolve, ms));
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function connects(port: number): Promise<boolean> {
  try {
    using _connection = await Deno.connect({ hostname: "127.0.0.1", port });
    return true;
  } catch {
    return false;
  }
}

async function asNobody(folder: string, command: string[]): Promise<string[]> {
  if (Deno.uid() !== 0) return command;
  const { success } = await new Deno.Command("chown", { args: ["-R", "nobody:", folder] }).output();
  assert.ok(success, `${folder} is given to nobody`);
  return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--", ...command];
}

const folder = new URL("../../../docs/", import.meta.url);

/** A text of a file, and its replacement. */
export type Change = [from: string, to: string];

/** Reads a file of `docs/proxies/`. */
export function readDocumented(file: string): Promise<string> {
  return Deno.readTextFile(new URL(`proxies/${file}`, folder));
}

/** Reads a file of `docs/proxies/` and applies changes, whose texts must be in it. */
export async function documentedFile(file: string, changes: Change[]): Promise<string> {
  let text = await readDocumented(file);
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `docs/proxies/${file} has ${JSON.stringify(from)}`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Reads the changes of a file that `docs/proxy-variants.md` describes below a heading. */
export async function documentedChanges(heading: string, file: string): Promise<Change[]> {
  const text = await Deno.readTextFile(new URL("proxy-variants.md", folder));
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const [, diff = ""] = section.split("\n## ")[0].split(`\n\`${file}\`:\n\n\`\`\`diff\n`);
  const [lines] = diff.split("```");
  const changes = [...lines.matchAll(/((?:^-.*\n)+)((?:^\+.*\n)+)/gm)];
  assert.ok(changes.length > 0, `docs/proxy-variants.md has changes of ${file} below "${heading}"`);
  return changes.map(([, from, to]) => [unmarked(from), unmarked(to)]);
}

/** Lines of a diff, without their first characters. */
function unmarked(lines: string): string {
  return lines.trimEnd().split("\n").map((line) => line.slice(1)).join("\n");
}

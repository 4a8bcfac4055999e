import { type Certificate, selfSignedCertificate } from "../../fixtures/certificates.ts";
import { Client } from "../../realtime/harness.ts";
import { apache, caddy, nginx } from "./proxy_kinds.ts";
import { type Change, Proxy, type ProxyKind } from "./proxy.ts";

/** All proxies with a documented file. */
export const proxyKinds: ProxyKind[] = [nginx, apache, caddy];

/** A proxy of each kind in front of one server. */
export class Proxies implements AsyncDisposable {
  private constructor(readonly all: Proxy[], readonly certificate: Certificate) {}

  /**
   * Starts the proxies.
   *
   * @param backend the port of the server.
   * @param variants further changes of the documented files.
   * @param kinds which proxies to start.
   */
  static async before(
    backend: number,
    variants: Partial<Record<ProxyKind["name"], Change[]>> = {},
    kinds = proxyKinds,
  ): Promise<Proxies> {
    const certificate = await selfSignedCertificate();
    const starting = kinds.map((kind) =>
      Proxy.start(kind, { certificate, backend, variant: variants[kind.name] })
    );
    const proxies = new Proxies([], certificate);
    for (const start of await Promise.allSettled(starting)) {
      if (start.status === "fulfilled") proxies.all.push(start.value);
    }
    if (proxies.all.length < starting.length) await proxies[Symbol.asyncDispose]();
    await Promise.all(starting);
    return proxies;
  }

  /** The certificate as PEM, for clients that have to trust it. */
  get authority(): string {
    return Deno.readTextFileSync(this.certificate.certFile);
  }

  /** @returns an HTTP client with this loopback address. */
  clientAt(localAddress: string): Deno.HttpClient {
    return Deno.createHttpClient({ caCerts: [this.authority], localAddress });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all.map((proxy) => proxy[Symbol.asyncDispose]()));
    await this.certificate.remove();
  }
}

/** Opens a WebSocket through a proxy, for the app with this key. */
export function socketThrough({ origin }: Proxy, key: string, client: Deno.HttpClient): Client {
  const url = `${origin.replace("http", "ws")}/app/${key}?protocol=7`;
  return new Client(new SocketOfClient(url, { client }));
}

/** Deno's WebSocket accepts an HTTP client, which the browser's types do not declare. */
const SocketOfClient = WebSocket as unknown as new (
  url: string,
  options: { client: Deno.HttpClient },
) => WebSocket;

/** A server that takes webhooks. */
export class WebhookReceiver implements AsyncDisposable {
  requests = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    this.#server = Deno.serve(options, async (request) => {
      await request.text();
      this.requests++;
      return new Response();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

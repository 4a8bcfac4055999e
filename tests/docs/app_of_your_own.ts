/** Answers a request of pusher-js for permission. */
type Authorize = (request: Request) => Promise<Response>;

/** What the server of an app answers for its pages. */
export interface AuthorizingModule {
  authorizeChannel: Authorize;
  authenticateUser: Authorize;
}

const packages = new Map([
  ["/laravel-echo.js", new URL("../../node_modules/laravel-echo/dist/echo.js", import.meta.url)],
  ["/pusher-js.js", new URL("../../node_modules/pusher-js/dist/web/pusher.js", import.meta.url)],
]);

const importMap = JSON.stringify({
  imports: { "laravel-echo": "/laravel-echo.js", "pusher-js": "/pusher-js.js" },
});

/**
 * An app as readers of the documents have one: pages with the documented scripts, and auth routes with
 * the documented functions. The path of a page names its script; the cookie `user` its user.
 */
export class AppOfYourOwn implements AsyncDisposable {
  readonly #listener: Deno.HttpServer<Deno.NetAddr>;

  /** @param scripts the text of a module by the name of its page. */
  constructor(readonly scripts: Record<string, string>, readonly authorizing: AuthorizingModule) {
    this.#listener = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) => this.#answer(request),
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#listener.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method === "POST") {
      const { authorizeChannel, authenticateUser } = this.authorizing;
      return await (pathname.endsWith("user-auth") ? authenticateUser : authorizeChannel)(request);
    }
    const file = packages.get(pathname);
    if (file) return javascript(asModule(await Deno.readTextFile(file)));
    if (pathname === "/favicon.ico") return new Response(null, { status: 204 });
    const [, name, part] = pathname.split("/");
    if (part === "script.js") return javascript(this.scripts[name]);
    return page(name);
  }
}

/** The package as a bundler hands it out: this build of pusher-js defines a global. */
function asModule(text: string): string {
  return /^export /m.test(text) ? text : `${text}\nexport default globalThis.Pusher;\n`;
}

function javascript(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/javascript" } });
}

function page(name: string): Response {
  const html = `<!doctype html><title>${name}</title>
<script type="importmap">${importMap}</script>
<script type="module" src="/${name}/script.js"></script>`;
  return new Response(html, { headers: { "content-type": "text/html" } });
}

/** The app that the documents name, with a secret of its own in the place of the public one. */
export const documentedApp = {
  id: "48213",
  key: "a-key-of-your-own",
  secret: "2c1b7f6e5d4c3b2a190807f6e5d4c3b2a1",
};

/** Where Rollcall is in the documents. */
export const documentedHost = "rollcall.example.com";

/** The secret that the documents have. */
export const publicSecret = "a-long-secret-of-your-own";

/** A text with the secret of {@link documentedApp}, and with the addresses of a running server. */
export function readdressed(text: string, origin: string): string {
  const { host, hostname, port } = new URL(origin);
  return text.replaceAll(publicSecret, documentedApp.secret)
    .replaceAll(`https://${documentedHost}`, `http://${host}`)
    .replaceAll("useTLS: true", `useTLS: false, port: "${port}"`)
    .replaceAll("forceTLS: true", "forceTLS: false")
    .replaceAll("wsPort: 80", `wsPort: ${port}`)
    .replaceAll(documentedHost, hostname);
}

import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { filledPage } from "@/http/docs_example.ts";
import type { State } from "@/http/state.ts";
import type { DocsPage } from "@/shared/docs.ts";
import type { Role } from "@/shared/permissions.ts";

const code = `PUSHER_APP_ID=48213
PUSHER_APP_KEY=a-key-of-your-own
PUSHER_APP_SECRET=a-long-secret-of-your-own
PUSHER_HOST=rollcall.example.com
PUSHER_PORT=443
PUSHER_SCHEME=https
new Pusher("a-key-of-your-own", { wsPort: 80, wssPort: 443, forceTLS: true });
fetch("https://rollcall.example.com/up");
482135`;

const html = `<p>PUSHER_HOST=rollcall.example.com</p><pre tabindex="0"><code>${code}</code></pre>`;

/** The code that a reader sees of a page of a group. */
function filled(
  { url, key = "own-key", role = "admin", group = "Connect your app", external = false }: {
    url: string;
    key?: string;
    role?: Role | null;
    group?: string;
    external?: boolean;
  },
) {
  const state = {
    session: role && { user: { role } },
    apps: { list: () => [{ id: "4711", key, name: "Shop", isOwn: true }] },
    config: { appUrl: new URL(url), pusher: external ? { host: "ws.example.org" } : {} },
  } as unknown as State;
  return filledPage(state, { html, group } as DocsPage);
}

describe("the code of the documentation", () => {
  it("has an admin's own address below a path, ID and key, and no secret", () => {
    const { html, app } = filled({ url: "https://online.example.org/team" });
    assert.equal(app, "Shop");
    assert.equal(
      html,
      `<p>PUSHER_HOST=rollcall.example.com</p><pre tabindex="0"><code>PUSHER_APP_ID=4711
PUSHER_APP_KEY=own-key
PUSHER_APP_SECRET=a-long-secret-of-your-own
PUSHER_HOST=online.example.org
PUSHER_PORT=443
PUSHER_SCHEME=https
new Pusher("own-key", { wsPort: 80, wssPort: 443, forceTLS: true });
fetch("https://online.example.org/team/up");
482135</code></pre>`,
    );
  });

  it("says port and scheme where they are not those of https", () => {
    const { html } = filled({ url: "http://localhost:8000" });
    for (
      const part of [
        "PUSHER_HOST=localhost\nPUSHER_PORT=8000\nPUSHER_SCHEME=http\n",
        "{ wsPort: 8000, wssPort: 8000, forceTLS: false }",
        'fetch("http://localhost:8000/up")',
      ]
    ) assert.ok(html.includes(part), html);
  });

  const url = "https://online.example.org";
  for (
    const [what, how] of [
      ["who is signed out", { url, role: null }],
      ["a moderator", { url, role: "moderator" }],
      ["a page about machines", { url, group: "Install" }],
      ["a key that code would have to quote", { url, key: `"</code><script>` }],
      ["an installation with an external Pusher server", { url, external: true }],
    ] as const
  ) {
    it(`is the example for ${what}`, () => {
      assert.deepEqual(filled(how), { html, app: null });
    });
  }
});

import assert from "node:assert/strict";
import { parseEnv } from "node:util";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { guidesFor } from "@/server/apps/guides/guides.ts";
import type { AppConnection } from "@/shared/connect.ts";
import { dotenvValue, singleQuoted } from "@/server/apps/guides/pusher_js_options.ts";

const local: AppConnection = {
  id: "48213",
  key: "shop-key",
  secret: "a-secret-of-the-shop",
  host: "localhost",
  port: 8000,
  scheme: "http",
  path: "",
};
const open: AppConnection = { ...local, host: "rollcall.example.com", port: 443, scheme: "https" };
const below: AppConnection = { ...open, path: "/rollcall" };

/** The text of a file of a guide. */
function text(connection: AppConnection, guide: string, file: string): string {
  const files = guidesFor(connection).find(({ id }) => id === guide)?.files ?? [];
  const found = files.find(({ name }) => name === file);
  assert.ok(found, `${guide} has ${file}; it has ${files.map(({ name }) => name)}`);
  return found.text;
}

describe("the guides", () => {
  it("are for every kind of app, the four usual ones first, with ids and names of files of their own", () => {
    const guides = guidesFor(local);
    assert.deepEqual(
      guides.map(({ id }) => id),
      [
        "laravel",
        "next",
        "express",
        "react-pusher",
        "laravel-pusher",
        "react",
        "vue",
        "echo",
        "server-libraries",
        "client-package",
        "current-page",
        "activity",
        "messages",
      ],
    );
    assert.equal(guides.findIndex(({ isFurther }) => isFurther), 4);
    for (const { id, files } of guides) {
      assert.equal(new Set(files.map(({ name }) => name)).size, files.length, id);
      for (const { name, text } of files) {
        assert.match(text, /[^\n]\n$/, name);
        assert.doesNotMatch(text, /undefined|\[object/, name);
      }
    }
  });

  it("have each value where Laravel reads it", () => {
    assert.partialDeepStrictEqual(parseEnv(text(local, "laravel", ".env")), {
      BROADCAST_CONNECTION: "reverb",
      REVERB_APP_ID: "48213",
      REVERB_APP_KEY: "shop-key",
      REVERB_APP_SECRET: "a-secret-of-the-shop",
      REVERB_HOST: "localhost",
      REVERB_PORT: "8000",
      REVERB_SCHEME: "http",
      VITE_REVERB_HOST: "${REVERB_HOST}",
    });
    assert.partialDeepStrictEqual(parseEnv(text(open, "laravel-pusher", ".env")), {
      BROADCAST_CONNECTION: "pusher",
      PUSHER_HOST: "rollcall.example.com",
      PUSHER_PORT: "443",
      PUSHER_SCHEME: "https",
      PUSHER_APP_CLUSTER: "self",
    });
  });

  it("tell pages to use TLS at a public address only, and sockets always", () => {
    const files = [["echo", "echo.js"], ["express", "public/index.html"], [
      "next",
      "app/OnlineCount.jsx",
    ], ["react-pusher", "src/OnlineCount.jsx"]];
    for (const [guide, file] of files) {
      assert.match(text(local, guide, file), /wsPort: 8000,\s+wssPort: 8000,\s+forceTLS: false,/);
      assert.match(text(open, guide, file), /wsPort: 443,\s+wssPort: 443,\s+forceTLS: true,/);
      assert.match(text(open, guide, file), /enabledTransports: \["ws", "wss"\]/);
      assert.match(text(below, guide, file), /wsPath: "\/rollcall"/);
      assert.doesNotMatch(text(open, guide, file), /wsPath/);
    }
  });

  it("tell Laravel the path, below one", () => {
    for (const [guide, connection] of [["laravel", "reverb"], ["laravel-pusher", "pusher"]]) {
      const options = text(
        below,
        guide,
        `config/broadcasting.php, in the options of ${connection}`,
      );
      assert.equal(options, "'path' => '/rollcall',\n");
      assert.match(text(below, guide, "resources/js/echo.js"), /wsPath: "\/rollcall"/);
    }
    for (const guide of ["react", "vue"]) {
      assert.match(text(below, guide, "resources/js/echo.js"), /wsPath: "\/rollcall"/);
    }
    assert.match(text(below, "server-libraries", "send.php"), /'path' => '\/rollcall'/);
    const { intro = "" } = guidesFor(below).find(({ id }) => id === "server-libraries") ?? {};
    assert.match(intro, /pass \/apps\/48213\/ to Rollcall too/);
  });

  it("have one auth route, besides Laravel's", () => {
    const guides = guidesFor(local);
    const used = guides.flatMap(({ files }) =>
      files.flatMap(({ text }) => text.match(/[Ee]ndpoint: "[^"]+"|app\.post\("[^"]+"/g) ?? [])
    );
    assert.deepEqual(new Set(used.map((line) => line.split('"')[1])), new Set(["/pusher/auth"]));
    text(local, "next", "app/pusher/auth/route.js");
  });

  it("use the Echo that they make", () => {
    const used = text(local, "current-page", "With Echo");
    assert.match(used, /window\.Echo\.join/);
    assert.match(text(local, "echo", "echo.js"), /^window\.Echo = new Echo/m);
  });

  it("sign a name for admins, wherever they sign", () => {
    for (const guide of ["laravel", "laravel-pusher", "react", "vue"]) {
      assert.match(
        text(local, guide, "routes/channels.php"),
        /'rollcall' => \['name' => \$user->name/,
      );
    }
    const routes = [["express", "server.mjs"], ["next", "app/pusher/auth/route.js"]];
    for (const [guide, file] of routes) {
      assert.match(text(local, guide, file), /rollcall: \{ name: user\.name/);
    }
  });

  it("make a user up on the reader's own machine only", () => {
    for (
      const [guide, file] of [["express", "user.mjs"], ["next", "app/pusher/auth/user.js"]]
    ) {
      assert.match(text(local, guide, file), /Ada Lovelace/);
      assert.doesNotMatch(text(open, guide, file), /Ada Lovelace/);
      assert.match(text(open, guide, file), /return (request\.user \?\? )?null;/);
    }
  });

  it("construct the libraries for servers with every value", () => {
    const expected: Record<string, RegExp[]> = {
      "send.mjs": [/host: "rollcall\.example\.com"/, /port: "443"/, /useTLS: true/],
      "send.php": [/'host' => 'rollcall\.example\.com'/, /'port' => 443/, /'scheme' => 'https'/],
      "send.rb": [/host: 'rollcall\.example\.com'/, /port: 443/, /use_tls: true/],
      "send.py": [/host="rollcall\.example\.com"/, /port=443/, /ssl=True/],
      "send.go": [/Host: {3}"rollcall\.example\.com:443"/, /Secure: true/],
    };
    for (const [file, patterns] of Object.entries(expected)) {
      const program = text(open, "server-libraries", file);
      for (const pattern of [...patterns, /48213/, /shop-key/, /a-secret-of-the-shop/]) {
        assert.match(program, pattern, file);
      }
    }
    assert.match(text(local, "server-libraries", "send.py"), /ssl=False/);
    assert.match(text(local, "server-libraries", "send.go"), /Secure: false/);
    assert.match(text(local, "server-libraries", "send.rb"), /use_tls: false/);
  });
});

describe("values in PHP, Ruby and .env", () => {
  it("are in single quotes, which only a backslash escapes", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
      const inner = /^'((?:[^\\']|\\[\\'])*)'$/.exec(singleQuoted(text))?.[1];
      assert.equal(inner?.replace(/\\([\\'])/g, "$1"), text);
    }));
  });

  it("stand in .env as they are when they are plain, and else in quotes without variables", () => {
    assert.equal(dotenvValue("a-secret_1.b/c:d[e]"), "a-secret_1.b/c:d[e]");
    assert.equal(dotenvValue('a "b" $c \\ d\ne'), '"a \\"b\\" \\$c \\\\ d\\ne"');
  });
});

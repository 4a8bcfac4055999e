import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { guidesFor } from "@/server/apps/guides/guides.ts";
import type { AppConnection } from "@/shared/connect.ts";
import { runGuideProgram } from "../../../fixtures/guides/guide_programs.ts";

/** A secret may have any character. */
const secret = 'it\'s "quoted" \\ $HOME ${HOME} #{1} \n %s é 🦊';

const connection: AppConnection = {
  id: "48213",
  key: "shop-key",
  secret,
  host: "localhost",
  port: 8000,
  scheme: "http",
  path: "",
};

const files = guidesFor(connection).flatMap(({ id, files }) =>
  files.map((file) => ({ ...file, path: `${id}/${file.name}` }))
);
const below = guidesFor({ ...connection, path: "/rollcall" }).flatMap(({ files }) => files);

describe("the programs of the guides", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir({ prefix: "rollcall-guides-" });
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Runs a program whose library prints how it is constructed. */
  async function printed(name: string, library: Record<string, string>, args: string[]) {
    const [language] = args;
    const program = files.find((file) => file.name === name);
    assert.ok(program);
    for (const [path, text] of Object.entries({ ...library, [name]: program.text })) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(`${folder}/${path}`, text);
    }
    return JSON.parse(
      await runGuideProgram(language as "php" | "python" | "node", folder, [name]),
    );
  }

  it("pass php -l", async () => {
    for (const { language, text } of [...files, ...below]) {
      if (language !== "php") continue;
      const isOption = text.startsWith("'path'");
      const block = isOption ? `return [${text}];` : text.replace(/^<\?php/, "");
      await Deno.writeTextFile(`${folder}/block.php`, `<?php ${block}`);
      await runGuideProgram("php", folder, ["-l", "block.php"]);
    }
  });

  it("give PHP's library the values, whatever characters the secret has", async () => {
    const library = `<?php namespace Pusher;
      class Pusher {
        public function __construct(...$given) { echo json_encode($given); }
        public function trigger(...$event) {}
      }`;
    assert.deepEqual(
      await printed("send.php", { "vendor/autoload.php": library }, ["php"]),
      ["shop-key", secret, "48213", { host: "localhost", port: 8000, scheme: "http" }],
    );
  });

  it("give Python's library the values, whatever characters the secret has", async () => {
    const library = `import json
class Pusher:
    def __init__(self, **given): print(json.dumps(given))
    def trigger(self, *event): pass
`;
    assert.deepEqual(
      await printed("send.py", { "pusher.py": library }, ["python"]),
      { app_id: "48213", key: "shop-key", secret, host: "localhost", port: 8000, ssl: false },
    );
  });

  it("give Node's library the values, whatever characters the secret has", async () => {
    const library = `export default class {
      constructor(given) { console.log(JSON.stringify(given)); }
      trigger() {}
    }`;
    const manifest = '{"type":"module","main":"index.js"}';
    const files = {
      "node_modules/pusher/index.js": library,
      "node_modules/pusher/package.json": manifest,
    };
    assert.deepEqual(
      await printed("send.mjs", files, ["node"]),
      {
        appId: "48213",
        key: "shop-key",
        secret,
        host: "localhost",
        port: "8000",
        useTLS: false,
      },
    );
  });
});

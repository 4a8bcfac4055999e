import { describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { makeApp } from "./app/app.ts";

/** The answers of Fresh 2.3.3 to this same app, without build ids, nonces and boot code. */
const recorded = await Deno.readTextFile(new URL("real_fresh.txt", import.meta.url));
const rows = recorded.split(/^(?=[A-Z]+ \/)/m);

const builder = new Builder({ root: fileURLToPath(new URL("app/", import.meta.url)) });
const applyBuild = await builder.build({ mode: "production", snapshot: "memory" });
const app = makeApp();
applyBuild(app);
const handler = app.handler();

describe("the stand-in for Fresh answers as Fresh 2.3.3 does to", () => {
  for (const row of rows) {
    const [, request, method, path, init] = /^(([A-Z]+) (\S+)(?: (\{.*?\}))?) -> /.exec(row)!;
    it(request, async () => {
      const options = { method, ...JSON.parse(init ?? "{}") };
      assert.equal(await recordOf(request, new Request("http://localhost" + path, options)), row);
    });
  }
});

/** Asks the app and writes its answer down as the recorded ones are. */
async function recordOf(title: string, request: Request): Promise<string> {
  const logged: string[] = [];
  const response = await withErrorsGoingTo(logged, () => handler(request));
  const { "content-type": type = null, ...headers } = Object.fromEntries(response.headers);
  const log = logged.length > 0 ? ` LOGGED:${logged.join("|").slice(0, 80)}` : "";
  const body = withoutBootCode(normalized(await response.text()));
  return `${title} -> ${response.status} ${type} ${normalized(JSON.stringify(headers))}${log}\n` +
    `    ${body.replace(/^<!DOCTYPE html>/, "!")}\n`;
}

async function withErrorsGoingTo<T>(logged: string[], run: () => Promise<T>): Promise<T> {
  const original = console.error;
  console.error = (error) => logged.push(error.message);
  try {
    return await run();
  } finally {
    console.error = original;
  }
}

function normalized(text: string): string {
  return text.replace(/[0-9a-f]{40}/g, "BID").replace(/nonce="[0-9a-f]{32}"/g, 'nonce="N"');
}

function withoutBootCode(html: string): string {
  return html.replace(/(<script type="module" nonce="N">).*?(<\/script>)/gs, "$1…$2");
}

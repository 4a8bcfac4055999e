import { describe, it } from "@std/testing/bdd";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { makeApp } from "./app/app.ts";

/**
 * The answers of Fresh 2.3.3 to this app, without build ids, nonces and boot code. There it had layouts and
 * error pages too, which the stand-in leaves out: layouts are taken off, and of an error its status counts.
 */
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
      const record = await recordOf(request, new Request("http://localhost" + path, options));
      if (isErrorPage(row)) assert.equal(statusLine(record), statusLine(row));
      else assert.equal(record, withoutLayouts(row));
    });
  }
});

function isErrorPage(row: string): boolean {
  return /<b>E[01]:/.test(row);
}

/** The request and the status. */
function statusLine(row: string): string {
  return /^.* -> \d{3}/.exec(row)![0];
}

function withoutLayouts(row: string): string {
  return row.replace(/<div data-d="null">L0\[(.*)\]<\/div>(?=\])/s, "$1")
    .replace(/<div>L1\[(.*)\]<\/div>/s, "$1");
}

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

import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { Builder } from "fresh/dev";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { h } from "preact";
import Box from "./app/islands/Box.tsx";

const root = fileURLToPath(new URL("app/", import.meta.url));
const applyBuild = await new Builder({ root }).build({ snapshot: "memory" });

/** The props as the browser reads them: the argument of `boot` in the page's script. */
async function carried(v: unknown): Promise<unknown> {
  const app = new App().get("/", (ctx) => ctx.render(h(Box, { v })));
  applyBuild(app);
  const response = await app.handler()(new Request("http://localhost/"));
  const html = await response.text();
  if (response.status !== 200) throw new Error(html);
  const source = /boot\(\{Box\},(.*)\);<\/script><\/body>/s.exec(html)![1];
  assert.doesNotMatch(source, /</);
  return (new Function(`return ${source}`)() as { v: unknown }[])[0].v;
}

describe("the props of an island", () => {
  const values = {
    text: 'a "b" \\ \n </script><!--\u2028',
    numbers: [0, -1.5, 1e300],
    "true and null": [true, null],
    "nested objects": { a: { b: [{ c: undefined }] } },
    "prototype names": JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}'),
    nothing: undefined,
  };
  for (const [name, value] of Object.entries(values)) {
    it(`carry ${name}`, async () => assert.deepEqual(await carried(value), value));
  }

  const circular: { self?: unknown } = {};
  circular.self = circular;
  const refused = {
    functions: () => 1,
    symbols: Symbol("x"),
    "big integers": 1n,
    "NaN": NaN,
    dates: new Date(0),
    maps: new Map(),
    elements: h("p", null),
    circles: circular,
  };
  for (const [name, value] of Object.entries(refused)) {
    it(`refuse ${name}`, async () => {
      const original = console.error;
      const logged: string[] = [];
      console.error = (error) => logged.push(String(error));
      try {
        await assert.rejects(carried({ deep: [value] }), /Internal server error/);
      } finally {
        console.error = original;
      }
      assert.match(logged.join(), /Serializing .* is not supported/);
    });
  }
});

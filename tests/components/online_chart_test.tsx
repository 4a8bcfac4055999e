import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import type { Recovery } from "@/shared/recovery.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { OnlineChart } from "@/components/presence/OnlineChart.tsx";

function switchOf(isCounted: boolean) {
  return { csrfToken: "token", isCounted, isChosen: false };
}

const shown = {
  settings: {} as ClientSettings,
  initialConnections: 3 as number | null,
  initialCount: 2 as number | null,
  asOf: "2026-01-01T00:00:00Z",
  viewerId: "ada",
  initiallyIncluded: true,
  counting: switchOf(true) as ReturnType<typeof switchOf> | undefined,
  title: "Current Users Online",
  recovery: null as Recovery | null,
  staleSince: null as number | null,
  note: "Each person counts once.",
};

/** The HTML of the card of the number. */
async function htmlOf(props: Partial<typeof shown>): Promise<string> {
  const app = new App().get("*", (ctx) => ctx.render(<OnlineChart {...shown} {...props} />));
  return await (await app.handler()(new Request("http://localhost/"))).text();
}

describe("the number of users online, in the HTML", () => {
  it("says that it includes the reader, with the switch on", async () => {
    const html = await htmlOf({});
    assert.match(html, /users online, including you/);
    assert.match(html, /action="\/admin\/online\/counted"/);
    assert.match(html, /value="token"/);
    assert.match(html, /<button[^>]* value="no"[^>]* aria-checked="true"/);
  });

  it("says that it does not include an observer, with the switch off", async () => {
    const html = await htmlOf({ initiallyIncluded: false, counting: switchOf(false) });
    assert.match(html, /users online, not including you/);
    assert.match(html, /<button[^>]* value="yes"[^>]* aria-checked="false"/);
  });

  it("includes an observer who is counted in another browser", async () => {
    const html = await htmlOf({ counting: switchOf(false) });
    assert.match(html, /users online, including you/);
    assert.match(html, /aria-checked="false"/);
  });

  it("is uncertain from the beginning after a start of the server", async () => {
    const recovery = { expected: 56, startedAt: -5_000, most: 2, grewAt: -1_000 };
    const html = await htmlOf({ recovery });
    assert.match(html, /data-status="recovering"/);
    assert.match(html, /Recovering.*2 of about 56 back/);
  });

  it("stands still from the beginning on a server that is partitioned from the others", async () => {
    const html = await htmlOf({ staleSince: Date.parse("2026-01-01T10:02:11Z") });
    assert.match(html, /data-status="standing"/);
    const text = html.replace(/<[^>]*>/g, "");
    assert.match(text, /Numbers stand stillsince Jan 1, 2026, 10:02:11 UTC/);
  });

  it("says nothing of the reader and has no switch where the server does not count", async () => {
    const html = await htmlOf({
      initialCount: null,
      initialConnections: null,
      counting: undefined,
    });
    assert.doesNotMatch(html, /including|Count me/);
  });
});

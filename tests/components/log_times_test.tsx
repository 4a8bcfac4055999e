import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { ActivityTable } from "@/components/activity/ActivityPage.tsx";
import { installLocalTimes } from "@/components/page/markup.ts";
import { readerStyle, timeText } from "@/components/page/time_text.ts";

const [minute, day] = [60_000, 86_400_000];

/** Newest first: two lines of a day, and two of the day before. */
const timesBefore = (noon: number) => [noon, noon - minute, noon - day, noon - day - minute];

describe("the times of a log", () => {
  it("have the date in the first line of a day only, as the server writes them", async () => {
    const times = timesBefore(Date.UTC(2026, 0, 15, 12));
    const entries = times.map((at) => (
      { at, change: "joined", id: "7", name: "Ada", kind: "user" } as const
    ));
    const table = <ActivityTable entries={entries} source={undefined} />;
    const app = new App().get("*", (ctx) => ctx.render(table));
    const html = await (await app.handler()(new Request("http://localhost/"))).text();
    assert.deepEqual([...html.matchAll(/<time[^>]*>([^<]*)</g)].map(([, text]) => text), [
      "Jan 15, 2026, 12:00:00 UTC",
      "11:59:00 UTC",
      "Jan 14, 2026, 12:00:00 UTC",
      "11:59:00 UTC",
    ]);
  });

  it("have the date in the first line of a day of the reader's zone, and in no log always", () => {
    const times = timesBefore(new Date(2026, 0, 15, 12).getTime());
    const elementOf = (local: string) => (at: number) => ({
      dateTime: new Date(at).toISOString(),
      dataset: { local },
      textContent: "",
    });
    const textsOf = (local: string) => {
      const elements = times.map(elementOf(local));
      // It asks the page for these elements, and nothing else.
      installLocalTimes({ querySelectorAll: () => elements } as unknown as Document);
      return elements.map(({ textContent }) => textContent);
    };
    const exact = times.map((at) => timeText(at, "exact", readerStyle));
    assert.deepEqual(textsOf(""), exact);
    assert.deepEqual(textsOf("log"), [
      exact[0],
      timeText(times[1], "clock", readerStyle),
      exact[2],
      timeText(times[3], "clock", readerStyle),
    ]);
  });
});

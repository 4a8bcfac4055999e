import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import type { ComponentChildren } from "preact";
import { ActivityFilterForm, ActivityTable } from "@/components/activity/ActivityPage.tsx";
import { personTypeText } from "@/components/people/person_texts.ts";

async function textOf(content: ComponentChildren): Promise<string> {
  const app = new App().get("*", (ctx) => ctx.render(<div>{content}</div>));
  const html = await (await app.handler()(new Request("http://localhost/"))).text();
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

describe("where a person of an app comes from", () => {
  it("is the app's name on the person's page, and not stated for a single app", () => {
    const person = { kind: "foreign", role: null } as const;
    const shop = { name: "Source", text: "Shop" };
    assert.deepEqual(personTypeText({ ...person, source: "Shop" }), shop);
    assert.deepEqual(personTypeText(person), { name: "Type", text: "User" });
  });

  it("is the app's name in the activity and its filter, and “Your app” for a single app", async () => {
    const entry = { at: 0, id: "42", kind: "foreign", name: "Ann", change: "joined" } as const;
    const filter = { query: { who: "" }, choices: [], isFiltered: false, children: null };
    for (const [source, expected] of [["Shop", "Shop"], [undefined, "Your app"]] as const) {
      assert.match(
        await textOf(<ActivityTable entries={[entry]} source={source} />),
        new RegExp(` Ann ${expected} Joined `),
      );
      assert.match(
        await textOf(<ActivityFilterForm {...filter} source={source} />),
        new RegExp(` All User Guest ${expected} `),
      );
    }
  });
});

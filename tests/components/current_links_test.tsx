import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { ActivityNavigation } from "@/components/activity/ActivityPage.tsx";
import { ConfirmPage } from "@/components/page/ConfirmPage.tsx";
import { SearchForm } from "@/components/page/fields.tsx";
import { ErrorPage } from "@/components/page/ErrorPage.tsx";
import { numberedPages, Pager } from "@/components/page/links.tsx";
import { Shell } from "@/components/page/Shell.tsx";

/** The links of a page that are marked as current, with the mark, as browsers and screen readers see them. */
async function currentLinks(path: string): Promise<string[]> {
  const confirmation = { question: "Sure?", text: "", action: "Yes", danger: false };
  const app = new App().get("*", (ctx) =>
    ctx.render(
      <Shell title="" csrfToken="" viewer={{ name: "Ada", role: "admin" }} path={path}>
        <ActivityNavigation path={path} />
        <Pager {...numberedPages({ page: 2, pages: 3 }, (page) => `${path}?page=${page}`)} />
        <SearchForm path={path} label="" query="ada" maxLength={9} />
        <ConfirmPage csrfToken="" confirmation={confirmation} path={path} fields={{}} back={path} />
        <ErrorPage status={404} message="" requestId="" />
      </Shell>,
    ));
  const html = await (await app.handler()(new Request(`http://localhost${path}`))).text();
  return [...html.matchAll(/<a [^>]*>/g)].flatMap(([tag]) => {
    const [, address] = /href="([^"]*)"/.exec(tag)!;
    const mark = /aria-current="([^"]*)"/.exec(tag)?.[1] ?? "false";
    return mark === "false" ? [] : [`${address} ${mark}`];
  });
}

describe("the links that are marked as current", () => {
  const rows: [path: string, current: string[]][] = [
    ["/", ["/ page"]],
    ["/admin/online", ["/admin/online page"]],
    ["/admin/users", ["/admin/users page"]],
    ["/admin/users/7", ["/admin/users true"]],
    ["/admin/audit", ["/admin/audit page"]],
    ["/admin/activity", ["/admin/activity page", "/admin/activity page"]],
    ["/admin/settings/check", ["/admin/settings true"]],
  ];
  for (const [path, current] of rows) {
    it(`on ${path} are ${current.join(", ")}`, async () => {
      assert.deepEqual(await currentLinks(path), current);
    });
  }
});

import { z } from "zod";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { until } from "../../fixtures/eventually.ts";
import type { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { ada, moveIn } from "../../fixtures/people.ts";
import { ReportingPages } from "../../fixtures/reporting_pages.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { callIn } from "../../fixtures/webdriver/driven_browser.ts";
import { type Firefox, launchFirefox } from "../../fixtures/webdriver/firefox.ts";
import { passTime, sees, submitForm } from "../../fixtures/webdriver/screen.ts";
import type { PersonSnapshot } from "@/shared/person.ts";
import { worksIn } from "./works_in.ts";

worksIn("Firefox", launchFirefox);

const app = { id: "4711", key: "a-key-of-the-tests", secret: "a-secret-of-the-tests-alone" };
const fiveMinutes = 5 * 60_000;

describe("who is active in Firefox", () => {
  const stack = new AsyncDisposableStack();
  let admin: HttpVisitor;
  let pages: ReportingPages;
  let tab: Firefox;
  let list: Firefox;

  beforeAll(async () => {
    const server = stack.use(
      await Rollcall.start({
        PUSHER_APP_ID: app.id,
        PUSHER_APP_KEY: app.key,
        PUSHER_APP_SECRET: app.secret,
      }),
    );
    [admin] = await moveIn(server);
    pages = stack.use(new ReportingPages(server, app));
    tab = stack.use(await launchFirefox());
    list = stack.use(await tab.another("window"));
    await list.open(`${server.origin}/sign-in?return=/admin/online`);
    await sees(list, { heading: "Sign in" });
    await submitForm(list, ada);
    await sees(list, { path: "/admin/online", status: "live" });
  });
  afterAll(() => stack.disposeAsync());

  /** Waits until the admin's list says this of a user. */
  const says = (name: string, text: RegExp) =>
    until(async () => text.test(await stateOf(name)), `the list said ${text} of ${name}`);

  /** What the admin's list says of a user. */
  const stateOf = (name: string) =>
    callIn(list, z.string(), (name: string) => {
      const rows = [...document.querySelectorAll<HTMLElement>(".online-table tbody tr")];
      const row = rows.find((row) => row.querySelector("a")?.textContent === name);
      return row?.querySelector<HTMLElement>(".activity-state")?.innerText ?? "";
    }, name);

  /** Waits until the tabs of a user, in any order, are in these states. */
  const tabsAre = (name: string, ...states: string[]) =>
    until(async () => {
      const { text } = await admin.get(`/admin/people/${name}/now`);
      const { presence }: PersonSnapshot = JSON.parse(text);
      const known = presence?.tabs?.map(({ state }) => state).toSorted() ?? [];
      return String(known) === String(states);
    }, `the tabs of ${name} were ${states}`);

  it("is idle with a tab that is left alone", async () => {
    await tab.open(pages.page("ann", 1_000));
    await says("ann", /^Idle/);
  });

  it("is idle after five minutes without a touch, and active at one touch", async () => {
    await tab.open(pages.page("bob"));
    await says("bob", /^Active$/);
    await passTime(tab, fiveMinutes);
    await says("bob", /^Idle/);
    await tab.touch();
    await says("bob", /^Active$/);
  });

  it("is idle with a hidden tab once it has been hidden for as long, and active when it is shown", async () => {
    await tab.open(pages.page("cem"));
    await says("cem", /^Active$/);
    await using other = await tab.another("tab");
    await isHidden(tab, true);
    await passTime(tab, fiveMinutes);
    await says("cem", /^Idle/);
    await tab.show();
    await isHidden(tab, false);
    await says("cem", /^Active$/);
    await isHidden(other, true);
  });

  it("is active with two tabs while either is, and idle once both are", async () => {
    await tab.open(pages.page("dan"));
    await using other = await tab.another("tab");
    await other.open(pages.page("dan"));
    await tabsAre("dan", "active", "active");
    await passTime(tab, fiveMinutes);
    await tabsAre("dan", "active", "idle");
    await says("dan", /^Active$/);
    await passTime(other, fiveMinutes);
    await says("dan", /^Idle/);
    await other.touch();
    await says("dan", /^Active$/);
  });
});

/** Waits until a tab is hidden, or shown. */
function isHidden(tab: Firefox, expected: boolean): Promise<void> {
  const isHidden = () => callIn(tab, z.boolean(), () => document.hidden);
  return until(async () => await isHidden() === expected, `the tab was hidden: ${expected}`);
}

import type { Totals } from "@/shared/online.ts";
import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { App } from "fresh";
import { AlertCard } from "@/components/alert/AlertCard.tsx";
import type { ComponentChildren } from "preact";
import {
  ActivityFilterForm,
  ActivityNavigation,
  ActivityTable,
} from "@/components/activity/ActivityPage.tsx";
import { AuditPage } from "@/components/audit/AuditPage.tsx";
import type { AuditEntry } from "@/server/audit/audit_log.ts";
import { inLanguage, languages } from "@/server/language/languages.ts";
import { commandLine, removedPerson } from "@/shared/audit.ts";
import { personTypeText } from "@/components/people/person_texts.ts";
import { ConfirmPage } from "@/components/page/ConfirmPage.tsx";
import { SearchForm } from "@/components/page/fields.tsx";
import { ErrorPage } from "@/components/page/ErrorPage.tsx";
import { numberedPages, Pager } from "@/components/page/links.tsx";
import { SettingsFrame } from "@/components/settings/SettingsFrame.tsx";
import { Shell } from "@/components/page/Shell.tsx";
import { installLocalTimes } from "@/components/page/markup.ts";
import { readerStyle, timeText } from "@/components/page/time_text.ts";
import type { ChannelStatus } from "@/shared/channel_list.ts";
import type { Freshness } from "@/shared/recovery.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { OnlineChart } from "@/components/presence/OnlineChart.tsx";
import { AppsTable } from "@/components/channels/ChannelsTable.tsx";
import { ChannelFacts } from "@/components/channels/ChannelPage.tsx";

async function rendered(content: ComponentChildren): Promise<string> {
  const app = new App().get("*", (ctx) => ctx.render(<div>{content}</div>));
  return await (await app.handler()(new Request("http://localhost/"))).text();
}

async function textOf(content: ComponentChildren): Promise<string> {
  return (await rendered(content)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
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
        new RegExp(` All Rollcall account Guest ${expected} `),
      );
    }
  });
});

/** The links of a page that are marked as current, with the mark, as browsers and screen readers see them. */
async function currentLinks(path: string): Promise<string[]> {
  const confirmation = { question: "Sure?", text: "", action: "Yes", danger: false };
  const app = new App().get("*", (ctx) =>
    ctx.render(
      <Shell
        title=""
        csrfToken=""
        viewer={{ name: "Ada", role: "admin", mayFollow: true }}
        path={path}
      >
        <ActivityNavigation path={path} mayManage />
        <SettingsFrame path={path}>{null}</SettingsFrame>
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

/** The marks in the bar and the menu, and that of a section. */
function inSettings(section: string): string[] {
  return ["/admin/settings true", "/admin/settings true", section];
}

describe("the links that are marked as current", () => {
  const rows: [path: string, current: string[]][] = [
    ["/", ["/ page"]],
    ["/admin/online", ["/admin/online page"]],
    ["/admin/settings/team", inSettings("/admin/settings/team page")],
    ["/admin/settings/team/7", inSettings("/admin/settings/team true")],
    ["/admin/activity/admins", ["/admin/activity true", "/admin/activity/admins page"]],
    ["/admin/activity", ["/admin/activity page", "/admin/activity page"]],
    ["/admin/settings/check", inSettings("/admin/settings/server true")],
    ["/admin/settings/api", inSettings("/admin/settings/connect true")],
    ["/admin/settings/embeds/7", inSettings("/admin/settings/displays true")],
    ["/account/second-factor", ["/admin/settings true", "/account true", "/account true"]],
  ];
  for (const [path, current] of rows) {
    it(`on ${path} are ${current.join(", ")}`, async () => {
      assert.deepEqual(await currentLinks(path), current);
    });
  }
});

describe("the admin log", () => {
  it("names in the reader's language what is no one's name, and leaves names as they are", async () => {
    const shown = { query: {}, actors: [], older: null, newest: null };
    const entry = { at: 0, actor: { id: "7", name: "Ada" }, details: {} };
    const entries: AuditEntry[] = [
      { ...entry, actor: commandLine, action: "user_disabled", target: { id: "8", name: "Ben" } },
      { ...entry, action: "person_forgotten", target: removedPerson },
      { ...entry, actor: { id: "9", name: "API token CI" }, action: "mark_added", target: null },
      {
        ...entry,
        action: "limits_changed",
        target: null,
        details: { before: "everything", after: "4711" },
      },
    ];
    const text = await inLanguage(
      languages.get("de"),
      () => textOf(<AuditPage path="/admin/activity/admins" entries={entries} {...shown} />),
    );
    assert.match(text, / Befehlszeile Benutzer gesperrt Ben /);
    assert.match(text, / Ada Person vergessen Eine entfernte Person /);
    assert.match(text, / API-Token CI Verlauf markiert /);
    assert.match(text, / alles → 4711 /);
  });
});

const [minute, day] = [60_000, 86_400_000];

/** Newest first: two lines of a day, and two of the day before. */
const timesBefore = (noon: number) => [noon, noon - minute, noon - day, noon - day - minute];

describe("the form of the alert", () => {
  const input = {
    ...{ enabled: true, users: "10", counted: "online", direction: "up", holdSeconds: "60" },
    ...{ from: "", to: "", zone: "", chosen: [] },
  };
  const form = (told: "all" | "chosen", receivers: { id: string; name: string }[]) =>
    rendered(
      <AlertCard
        csrfToken=""
        channel="presence-chart"
        channels={undefined}
        isSet={false}
        view={{ threshold: null, phase: "normal", since: null }}
        input={{ ...input, told }}
        receivers={receivers}
        tellsNoOne={false}
        crossings={[]}
      />,
    );

  it("keeps whom it tells while there are no receivers to choose from", async () => {
    for (const told of ["all", "chosen"] as const) {
      const html = await form(told, []);
      assert.match(html, new RegExp(`<input type="hidden" name="told" value="${told}"`));
      assert.doesNotMatch(html, /<select[^>]*name="told"/);
    }
    const html = await form("all", [{ id: "a", name: "Operators" }]);
    assert.match(html, /<select[^>]*name="told"/);
    assert.doesNotMatch(html, /type="hidden" name="told"/);
  });
});

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

  it("stay in the zone that their page names, by the reader's clock", () => {
    const at = Date.UTC(2026, 0, 15, 16, 31);
    const element = {
      dateTime: new Date(at).toISOString(),
      dataset: { local: "minute", zone: "Europe/Berlin" },
      textContent: "17:31",
    };
    installLocalTimes({ querySelectorAll: () => [element] } as unknown as Document);
    const expected = timeText(at, "minute", { ...readerStyle, zone: "Europe/Berlin" });
    assert.equal(element.textContent, expected);
  });
});

function switchOf(isCounted: boolean) {
  return { csrfToken: "token", isCounted, isChosen: false };
}

const shown = {
  settings: {} as ClientSettings,
  initial: { users: 2, connections: 3 } as Totals | null,
  initialCount: 2 as number | null,
  asOf: "2026-01-01T00:00:00Z",
  viewerId: "ada",
  initiallyIncluded: true,
  counting: switchOf(true) as ReturnType<typeof switchOf> | undefined,
  title: "Current Users Online",
  freshness: { state: "live" } as Freshness,
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

  it("calls no sum users: guests are counted apart, in the channels too", async () => {
    const html = await htmlOf({ initial: { users: 2, guests: 1, connections: 3 } });
    assert.match(html, />online, including you</);
    assert.match(html, /aria-label="Bar chart: 2 online \(1 user, 1 guest\)\./);
    const app = { id: "1", name: "Shop", connections: 4, channels: 1 };
    const counts = { users: 4, guests: 3, subscriptions: 4 };
    const apps = <AppsTable apps={[{ ...app, ...counts }]} />;
    assert.match(await textOf(apps), /Shop 4 online \(1 user, 3 guests\)/);
    const channel = { appId: "1", app: "Shop", name: "presence-x", kind: "presence" } as const;
    const facts = { ...channel, ...counts, isCache: false, isOccupied: true };
    assert.match(
      await textOf(<ChannelFacts channel={facts as ChannelStatus} />),
      /Online 4 \(1 user, 3 guests\)/,
    );
  });

  it("includes an observer who is counted in another browser", async () => {
    const html = await htmlOf({ counting: switchOf(false) });
    assert.match(html, /users online, including you/);
    assert.match(html, /aria-checked="false"/);
  });

  it("is uncertain from the beginning after a start of the server", async () => {
    const html = await htmlOf({ freshness: { state: "recovering", expected: 56 } });
    assert.match(html, /data-status="recovering"/);
    assert.match(html, /Recovering.*2 of about 56 back/);
  });

  it("is stale from the beginning on a server that is partitioned from the others", async () => {
    const since = Date.parse("2026-01-01T10:02:11Z");
    const html = await htmlOf({ freshness: { state: "stale", since } });
    assert.match(html, /data-status="stale"/);
    const text = html.replace(/<[^>]*>/g, "");
    assert.match(text, /Not updatingsince Jan 1, 2026, 10:02:11 UTC/);
  });

  it("says nothing of the reader and has no switch where the server does not count", async () => {
    const html = await htmlOf({
      initialCount: null,
      initial: null,
      counting: undefined,
    });
    assert.doesNotMatch(html, /including|Count me/);
  });
});

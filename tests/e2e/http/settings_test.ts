import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";
import { makeLink, makeReceiver, makeRule, revokeLink } from "../../fixtures/admin_forms.ts";

const alert = {
  direction: "up",
  users: "10",
  holdSeconds: "60",
  webhookUrl: "",
  enabled: "on",
};

describe("the settings", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    server = await Rollcall.start();
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const actions: [path: string, fields: Record<string, string>][] = [
    ["/admin/settings/alert", alert],
    ["/admin/settings/alert/test", { ...alert, webhookUrl: "http://127.0.0.1/" }],
    ["/admin/settings/wallboards", { name: "Stranger's" }],
    [`/admin/settings/wallboards/${"f".repeat(32)}/revoke`, {}],
  ];

  it("are for admins only", async () => {
    for (const section of ["alerts", "connect", "displays", "server", "sites", "team"]) {
      const path = `/admin/settings/${section}`;
      assert.equal((await ada.get(path)).status, 200, path);
      assert.equal((await ben.get(path)).status, 403, path);
    }
    assert.equal((await ben.get("/admin/settings")).status, 403);
    const { status, headers } = await new HttpVisitor(server.origin).get("/admin/settings");
    assert.equal(status, 303);
    assert.equal(headers.get("location"), "/sign-in?return=%2Fadmin%2Fsettings");
    for (const [path, fields] of actions) {
      assert.equal((await ben.submit(path, fields)).status, 403, path);
    }
  });

  it("do not change without the CSRF token", async () => {
    const link = await makeLink(ada, "Guarded");
    const paths = [...actions, [`/admin/settings/wallboards/${link.id}/revoke`, {}] as const];
    for (const [path, fields] of paths) {
      for (const _token of ["", "x"]) {
        assert.equal((await ada.submit(path, { ...fields, _token })).status, 419, path);
      }
    }
    const { text } = await ada.get("/admin/settings/displays");
    assert.match(text, /Guarded/);
    assert.doesNotMatch(text, /Stranger's|Stranger&#39;s/);
  });

  it("keep a saved alert", async () => {
    const webhookUrl = "https://hooks.example.com/a?b=c";
    const fields = { direction: "down", users: " 3 ", holdSeconds: "90", webhookUrl };
    const { status, headers } = await ada.submit("/admin/settings/alert", fields);
    assert.deepEqual([status, headers.get("location")], [303, "/admin/settings/alerts?done=alert"]);
    const { text } = await ada.get("/admin/settings/alerts?done=alert");
    assert.match(text, /Alert saved/);
    assert.match(text, /<option value="down" selected/);
    assert.match(text, /name="users"[^>]* value="3"/);
    assert.match(text, /name="holdSeconds"[^>]* value="90"/);
    assert.match(text, /name="receiver-[\w-]{22}" checked\/?>hooks\.example\.com/);
    assert.ok(!text.includes("a?b=c"), "a part of the URL can be secret");
    assert.doesNotMatch(text, /name="enabled" checked/);
  });

  it("choose whom the alert tells, and when not, and say so where these were deleted", async () => {
    const path = "/admin/settings/alert";
    const common = { users: "3", direction: "up", holdSeconds: "60" };
    const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
    const id = await makeReceiver(ada, { name: "Night shift" });
    const chosen = { ...common, ...quiet, told: "chosen", [`receiver-${id}`]: "on" };
    assert.equal((await ada.submit(path, chosen)).status, 303);
    const page = async () => (await ada.get("/admin/settings/alerts")).text;
    for (const value of Object.values(quiet)) {
      assert.ok((await page()).includes(`value="${value}"`), value);
    }
    const ticked = new RegExp(`name="receiver-${id}" checked`);
    assert.match(await page(), ticked);
    assert.match((await ada.get("/admin/activity/admins")).text, /22:00–07:00 Europe\/Berlin/);
    const wrong = await ada.submit(path, { ...chosen, zone: "Berlin" });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /Enter a time zone, such as Europe\/Berlin/);
    // A program of before sends neither.
    await ada.submit(path, common);
    assert.match(await page(), ticked);
    assert.ok((await page()).includes('value="22:00"'));
    const rule = await makeRule(ada, { [`receiver-${id}`]: "on" });
    const noOne = /All its receivers were deleted, so no one is notified/;
    assert.doesNotMatch(await page(), noOne);
    await ada.submit(`/admin/settings/alerts/receivers/${id}/delete`, {});
    assert.match(await page(), noOne);
    assert.equal((await page()).match(new RegExp(noOne, "g"))?.length, 2);
    assert.match((await ada.get(`/admin/settings/alerts/rules/${rule}`)).text, noOne);
    await ada.submit(`/admin/settings/alerts/rules/${rule}/delete`, {});
    const all = { ...common, from: "", to: "", zone: "", told: "all" };
    assert.equal((await ada.submit(path, all)).status, 303);
    assert.doesNotMatch(await page(), noOne);
    assert.ok(!(await page()).includes('value="22:00"'));
  });

  const refused: [fields: Record<string, string>, message: RegExp][] = [
    [{ users: "0" }, /Must be 1 or more/],
    [{ users: "" }, /number/],
    [{ users: "1.5" }, /Enter a whole number/],
    [{ users: "ten" }, /number/],
    [{ users: "1000001" }, /Must be 1,000,000 or less/],
    [{ direction: "sideways" }, /Invalid option/],
    [{ holdSeconds: "" }, /number/],
    [{ holdSeconds: "3601" }, /Must be 3,600 or less/],
    [{ webhookUrl: "ftp://example.com/" }, /Enter an http or https URL/],
    [{ webhookUrl: "javascript:alert(1)" }, /Enter an http or https URL/],
    [{ webhookUrl: "https://user:secret@example.com/" }, /Remove credentials and #fragment/],
    [{ webhookUrl: "https://example.com/#part" }, /fragment/],
    [{ webhookUrl: "http://127.0.0.1:8000/" }, /This address is not public/],
    [{ webhookUrl: "http://localhost/" }, /This address is not public/],
    [{ webhookUrl: "http://169.254.169.254/latest/meta-data" }, /This address is not public/],
    [{ webhookUrl: `https://example.com/${"x".repeat(2_000)}` }, /At most 2,000/],
  ];

  for (const [fields, message] of refused) {
    it(`refuse ${JSON.stringify(fields).slice(0, 60)}, and keep the typed values`, async () => {
      const { status, text } = await ada.submit("/admin/settings/alert", { ...alert, ...fields });
      assert.equal(status, 422);
      assert.match(text, message);
      if (fields.users) assert.ok(text.includes(`value="${fields.users}"`));
    });
  }

  it("send at most five tests of the alert a minute, and none to an address that is not public", async () => {
    const test = (fields: Record<string, string>) =>
      ada.submit("/admin/settings/alert/test", { ...alert, ...fields });
    const missing = await test({});
    assert.equal(missing.status, 422);
    assert.match(missing.text, /Enter a URL to send a test to/);
    const secret = "http://169.254.169.254/path-secret";
    for (let count = 0; count < 5; count++) {
      const { status, text } = await test({ webhookUrl: secret });
      assert.equal(status, 200);
      assert.match(text, /No answer\.<\/b> This address is not public/);
    }
    const { status, headers, text } = await test({ webhookUrl: secret });
    assert.equal(status, 429);
    assert.match(text, /Too many tests\. Try again in \d+ seconds/);
    assert.ok(Number(headers.get("retry-after")) > 0);
    const audit = (await ada.get("/admin/activity/admins?action=alert_tested")).text;
    assert.equal(audit.match(/Webhook http:\/\/169\.254\.169\.254(?!\/)/g)?.length, 5);
    assert.doesNotMatch(server.log, /path-secret/);
  });

  it("add, change and delete a receiver, and show none of its secrets", async () => {
    const path = "/admin/settings/alerts/receivers";
    const secret = { url: "https://gotify.example.com/path-secret", token: "token-secret" };
    assert.match((await ada.get(`${path}?kind=gotify`)).text, /Application token/);
    const id = await makeReceiver(ada, { name: "Phones", kind: "gotify", ...secret });
    const pages = [
      "/admin/settings/alerts",
      `${path}/${id}`,
      "/admin/activity/admins",
    ];
    for (const page of pages) {
      const { status, text } = await ada.get(page);
      assert.equal(status, 200);
      assert.doesNotMatch(text, /path-secret|token-secret/, page);
    }
    assert.match((await ada.get("/admin/settings/alerts")).text, /Phones.*gotify\.example\.com/s);
    const renamed = { name: "Tablets", url: "", token: "" };
    const { headers } = await ada.submit(`${path}/${id}`, renamed);
    assert.equal(headers.get("location"), `${path}/${id}?done=saved`);
    assert.match((await ada.get(`${path}/${id}`)).text, /Saved: https:\/\/gotify\.example\.com\/…/);
    const elsewhere = await ada.submit(`${path}/${id}`, {
      ...renamed,
      url: "https://example.org/",
    });
    assert.equal(elsewhere.status, 422, "the token stays with its server");
    const privateUrl = await ada.submit(`${path}/${id}`, {
      ...renamed,
      url: "http://169.254.169.254/",
      token: "t",
    });
    assert.match(privateUrl.text, /This address is not public/);
    const question = await ada.submit(`${path}/${id}/delete`, { confirmed: "" });
    assert.match(question.text, /Delete Tablets\?/);
    await ada.submit(`${path}/${id}/delete`, {});
    assert.equal((await ada.get(`${path}/${id}`)).status, 404);
    const audit = (await ada.get("/admin/activity/admins")).text;
    for (const action of ["Added", "Changed", "Deleted"]) {
      assert.match(audit, new RegExp(`${action} a receiver of alerts`));
    }
    assert.doesNotMatch(server.log, /path-secret|token-secret/);
  });

  it("add, change and delete a rule of each kind, and say what is wrong with one", async () => {
    const path = "/admin/settings/alerts/rules";
    const receiver = await makeReceiver(ada, { name: "Night shift" });
    const common = { name: "Ours", holdSeconds: "60", enabled: "on" };
    const kinds: Record<string, Record<string, string>> = {
      threshold: { users: "5", direction: "down", counted: "active" },
      fall: { percent: "40", minutes: "10" },
      usual: { percent: "50", side: "below" },
      empty: {},
      record: { holdSeconds: "" },
      person: { userId: "ada-1", personName: "Ada", change: "comes" },
      server: { holdSeconds: "30" },
    };
    for (const [kind, fields] of Object.entries(kinds)) {
      assert.equal((await ada.get(`${path}?kind=${kind}`)).status, 200);
      await makeRule(ada, { ...common, name: `Rule ${kind}`, kind, ...fields });
    }
    const { text } = await ada.get("/admin/settings/alerts");
    for (
      const words of [
        "Fewer than 5 active for 1 minute",
        "Falls by 40% in 10 minutes",
        "Differs by 50% from the usual number",
        "No one online",
        "A new record in presence-chart<",
        "Ada comes",
        "A server is lost for 30 seconds",
      ]
    ) assert.ok(text.includes(words), words);
    const id = await makeRule(ada, { ...common, name: "Mine", kind: "fall", ...kinds.fall });
    const quiet = { from: "22:00", to: "07:00", zone: "Europe/Berlin" };
    const change = {
      ...common,
      ...kinds.fall,
      ...quiet,
      percent: "50",
      [`receiver-${receiver}`]: "on",
    };
    assert.equal((await ada.submit(`${path}/${id}`, change)).status, 303);
    const form = (await ada.get(`${path}/${id}`)).text;
    for (const value of ["22:00", "07:00", "Europe/Berlin", "50"]) {
      assert.ok(form.includes(`value="${value}"`), value);
    }
    assert.match(form, new RegExp(`name="receiver-${receiver}" checked`));
    const refused = await ada.submit(`${path}/${id}`, { ...change, zone: "Berlin" });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Enter a time zone, such as Europe\/Berlin/);
    await ada.submit(`${path}/${id}/delete`, {});
    assert.equal((await ada.get(`${path}/${id}`)).status, 404);
    const audit = (await ada.get("/admin/activity/admins")).text;
    for (const action of ["Added", "Changed", "Deleted"]) {
      assert.match(audit, new RegExp(`${action} a rule of alerts`));
    }
  });

  it("show the URL of a new link once, and refuse a name that is not printable", async () => {
    const { path } = await makeLink(ada, "Canteen");
    const { text } = await ada.get("/admin/settings/displays");
    assert.match(text, /Canteen/);
    assert.match(text, /by Ada/);
    assert.ok(!text.includes(path));
    for (
      const [name, message] of [["", /Enter a name/], ["x".repeat(101), /At most 100/]] as const
    ) {
      const answer = await ada.submit("/admin/settings/wallboards", { name });
      assert.equal(answer.status, 422);
      assert.match(answer.text, message);
    }
  });

  it("revoke a link after confirmation", async () => {
    const link = await makeLink(ada, "Porch");
    const address = `/admin/settings/wallboards/${link.id}/revoke`;
    const question = await ada.submit(address, { confirmed: "" });
    assert.equal(question.status, 200);
    assert.match(question.text, /Revoke Porch\?/);
    const stranger = new HttpVisitor(server.origin);
    assert.equal((await stranger.get(link.path)).status, 200);
    await revokeLink(ada, link);
    assert.equal((await stranger.get(link.path)).status, 404);
    assert.equal((await ada.submit(address, {})).status, 404);
    assert.equal((await ada.submit("/admin/settings/wallboards/x/revoke", {})).status, 404);
  });

  it("escape names", async () => {
    const name = '"><script>alert(1)</script>';
    await makeLink(ada, name);
    const { text } = await ada.get("/admin/settings/displays");
    assert.ok(!text.includes("<script>alert"));
    assert.ok(text.includes("&lt;script"));
  });

  it("are in the admin log when they change, without secrets", async () => {
    const webhookUrl = "https://hooks.example.com/path-secret?token=query-secret";
    await ada.submit("/admin/settings/alert", { ...alert, webhookUrl });
    const link = await makeLink(ada, "Audited");
    await revokeLink(ada, link);
    const { text } = await ada.get("/admin/activity/admins");
    assert.match(text, /Audited/);
    assert.match(text, /https:\/\/hooks\.example\.com/);
    assert.doesNotMatch(text, /path-secret|query-secret/);
    assert.ok(!text.includes(link.token));
    assert.doesNotMatch(server.log, /path-secret|query-secret/);
  });
});

import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { makeReceiver, resetLink } from "../../fixtures/admin_forms.ts";
import { FakeProvider } from "../../fixtures/fake_provider.ts";
import { type ArrivedMail, MailServer } from "../../fixtures/mail_server.ts";
import { ada as adaAccount, ben, moveIn, userId } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

const newPassword = "another good password";

function settingsOf({ port }: MailServer): Record<string, string> {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: "Rollcall <rollcall@example.com>",
    APP_URL: "http://localhost",
  };
}

/** The path of the link in an email. */
function pathIn({ text }: ArrivedMail, kind: string): string {
  const path = text.match(new RegExp(`^http://localhost(/${kind}/[\\w-]{43})$`, "m"))?.[1];
  assert.ok(path, text);
  return path;
}

const login = { user: "rollcall", password: "p@ss w/örd: hunter2" };

describe("a test email", () => {
  let mailServer: MailServer;
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;

  beforeAll(async () => {
    mailServer = await MailServer.startWithTls(login);
    const user = `${login.user}:${encodeURIComponent(login.password)}`;
    server = await Rollcall.start({
      SMTP_URL: `smtp://${user}@localhost:${mailServer.port}?tls=starttls`,
      MAIL_FROM: "Rollcall <rollcall@example.com>",
      DENO_CERT: mailServer.certFile,
      APP_URL: "http://localhost",
      LOG_LEVEL: "debug",
    });
    [ada, ben] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  const path = "/admin/settings/mail";

  it("is sent to the admin who asks for it, once that is confirmed, and recorded", async () => {
    const { text } = await ada.get("/admin/settings/server");
    assert.match(text, /Rollcall &lt;rollcall@example\.com>?/);
    assert.match(text, new RegExp(`localhost:${mailServer.port}, with TLS`));
    assert.match(text, /SMTP_URL<[^]*?set, secret[^]*?MAIL_FROM<[^]*?environment/);
    assert.ok(!text.includes(login.password));
    const question = await ada.submit(path, { confirmed: "" });
    assert.match(question.text, /Send a test email\?[^]*your own address, ada@example\.com/);
    assert.equal(mailServer.mails.length, 0);
    const sent = await ada.submit(path, {});
    assert.equal(sent.status, 200);
    assert.match(sent.text, /The mail server took the email[^]*ada@example\.com/);
    const [mail] = mailServer.mails;
    assert.deepEqual([mail.to, mail.isEncrypted, mail.user], [
      [adaAccount.email],
      true,
      login.user,
    ]);
    assert.match(mail.text, /Links in emails begin with http:\/\/localhost/);
    assert.match((await ada.get("/admin/activity/admins")).text, /Sent a test email/);
  });

  it("is refused to others than admins, and without the token of the form", async () => {
    const before = mailServer.attempts;
    assert.equal((await ben.submit(path, {})).status, 403);
    assert.equal((await ada.submit(path, { _token: "x" })).status, 419);
    assert.equal((await ada.get(path)).status, 303);
    assert.equal(mailServer.attempts, before);
  });

  it("shows what the mail server answered, in the page and until an email is sent", async () => {
    mailServer.behavior = { refuses: { code: 550, text: "<b>We take no tests</b>" } };
    const refused = await ada.submit(path, {});
    assert.match(refused.text, /was not sent[^]*refused the address: [^<]*We take no tests/);
    assert.doesNotMatch(refused.text, /<b>We/);
    assert.match(
      (await ada.get("/admin/settings/server")).text,
      /On this server, the last email was not sent[^]*no tests/,
    );
    mailServer.behavior = {};
    await ada.submit(path, {});
    assert.doesNotMatch((await ada.get("/admin/settings/server")).text, /last email was not sent/);
  });

  it("is refused after five in a minute", async () => {
    for (let count = 0; count < 2; count++) await ada.submit(path, {});
    const before = mailServer.attempts;
    const { status, headers, text } = await ada.submit(path, {});
    assert.equal(status, 429);
    assert.ok(Number(headers.get("retry-after")) > 0);
    assert.match(text, /Too many tests\. Try again in \d+ seconds/);
    assert.equal(mailServer.attempts, before);
  });

  it("leaves no address and no password in the log", () => {
    assert.match(server.log, /An email was not sent.*code="?EENVELOPE 550/);
    assert.doesNotMatch(server.log, /hunter2|ada@example|no tests/);
  });
});

describe("links by email", () => {
  let mailServer: MailServer;
  let server: Rollcall;
  let ada: HttpVisitor;

  beforeAll(async () => {
    mailServer = await MailServer.start();
    server = await Rollcall.start({ ...settingsOf(mailServer), LOG_LEVEL: "debug" });
    [ada] = await moveIn(server, "user");
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await mailServer[Symbol.asyncDispose]();
  });

  const stranger = () => new HttpVisitor(server.origin);

  it("invite a person, who gets an account by the link that was sent", async () => {
    await ada.get("/admin/settings/team");
    const invited = await ada.submit("/admin/settings/team/invites", {
      email: "dora@example.com",
      role: "viewer",
    });
    assert.equal(invited.status, 201);
    assert.match(invited.text, /is on its way to <b>dora@example\.com<\/b>/);
    const mail = await mailServer.arrived("dora@example.com");
    assert.equal(mail.subject, "Ada invites you to Rollcall");
    const path = pathIn(mail, "invite");
    assert.ok(invited.text.includes(path), "the admin can pass on the same link");
    const dora = stranger();
    assert.equal((await dora.get(path)).status, 200);
    await dora.submit(path, { name: "Dora", password: newPassword });
    assert.match((await dora.get("/")).text, /Welcome, Dora/);
    assert.match((await ada.get("/admin/activity/admins")).text, /Invited a person[^]*Emailed yes/);
  });

  it("invite a person in the language that the admin has chosen", async () => {
    await ada.get("/account");
    await ada.submit("/account/language", { language: "de" });
    await ada.submit("/admin/settings/team/invites", { email: "emil@example.com", role: "viewer" });
    const mail = await mailServer.arrived("emil@example.com");
    assert.equal(mail.subject, "Ada lädt Sie zu Rollcall ein");
    assert.ok(pathIn(mail, "invite"));
    await ada.submit("/account/language", { language: "" });
  });

  it("reset a password that an admin asks to reset, without showing the link to the admin", async () => {
    const id = await userId(ada, ben);
    assert.match((await ada.get(`/admin/settings/team/${id}`)).text, /Email a link/);
    const sent = await ada.submit(`/admin/settings/team/${id}/reset-link`, { mail: "yes" });
    const location = sent.headers.get("location") ?? "";
    assert.equal(location, `/admin/settings/team/${id}?done=mailed`);
    assert.match((await ada.get(location)).text, /reset link is on its way to Ben/);
    const mail = await mailServer.arrived(ben.email);
    assert.match(mail.text, /^Ada sends you a link/);
    const path = pathIn(mail, "reset-password");
    const visitor = stranger();
    await visitor.get(path);
    const { status } = await visitor.submit(path, { password: newPassword });
    assert.equal(status, 303);
    assert.match((await visitor.get("/")).text, /Welcome, Ben/);
  });

  it("stand in an alert, which a receiver gets by email, and its test says so", async () => {
    const path = "/admin/settings/alerts/receivers";
    assert.match((await ada.get(`${path}?kind=email`)).text, />To</);
    const refused = await ada.submit(path, { name: "Ops", kind: "email", target: "ops" });
    assert.match(refused.text, /Enter a valid email/);
    const target = "ops@example.com, night@example.com";
    const id = await makeReceiver(ada, { name: "Ops", kind: "email", url: "", target });
    const tested = await ada.submit(`${path}/${id}/test`, {});
    assert.match(tested.text, /Test delivered\.<\/b> The mail server took it/);
    const mail = await mailServer.arrived("night@example.com");
    assert.match(mail.subject, /^Test: \d+ users? online in presence-chart/);
    assert.match(mail.text, /^Who is online now: http:\/\/localhost\/admin\/online$/m);
    const { text } = await ada.get("/admin/settings/alerts");
    assert.match(text, /ops@example\.com, night@example\.com[^]*Delivered/);
    mailServer.behavior = { refuses: { code: 550, text: "<i>No such user</i>" } };
    const failed = await ada.submit(`${path}/${id}/test`, {});
    mailServer.behavior = {};
    assert.match(failed.text, /Not sent\.<\/b>[^<]*refused the address: [^<]*No such user/);
    assert.match((await ada.get("/admin/activity/admins")).text, /Sent a test[^]*ops@example\.com/);
    await ada.submit(`${path}/${id}/delete`, {});
  });

  it("are shown to admins as before, and not sent, when they ask for that", async () => {
    const before = mailServer.mails.length;
    const path = await resetLink(ada, await userId(ada, ben));
    assert.equal((await stranger().get(path)).status, 200);
    assert.equal(mailServer.mails.length, before);
  });

  it("are sent to who forgot the password, with the same answer for an unknown email", async () => {
    const visitor = stranger();
    assert.match((await visitor.get("/sign-in")).text, /href="\/sign-in\/forgot"/);
    assert.match((await visitor.get("/sign-in/forgot")).text, /Email me a link/);
    const emails = ["nobody@example.com", " CLEO@example.com "];
    const answers = [];
    for (const email of emails) {
      const { status, text } = await visitor.submit("/sign-in/forgot", { email });
      const anonymous = text.replaceAll(email.trim().toLowerCase(), "EMAIL")
        .replace(/[\w-]{22,}(\.[\w-]+)*/g, "RANDOM");
      answers.push([status, anonymous]);
    }
    assert.deepEqual(answers[0], answers[1]);
    assert.match(String(answers[0][1]), /If an account with EMAIL signs in with a password/);
    const mail = await mailServer.arrived("cleo@example.com");
    const path = pathIn(mail, "reset-password");
    await visitor.get(path);
    await visitor.submit(path, { password: newPassword });
    assert.match((await visitor.get("/")).text, /Welcome, Cleo/);
    assert.ok(!mailServer.mails.some(({ to }) => to.includes("nobody@example.com")));
    const log = (await ada.get("/admin/activity/admins")).text;
    assert.match(log, /Asked for a link to reset their password/);
  });

  it("are not asked for with what is no email, nor without the token of the form", async () => {
    const visitor = stranger();
    await visitor.get("/sign-in/forgot");
    for (
      const email of ["", "cleo", "a@example.com\r\nBcc: b@example.com", "a@b.example,c@d.example"]
    ) {
      const { status, text } = await visitor.submit("/sign-in/forgot", { email });
      assert.equal(status, 422, email);
      assert.match(text, /Enter a valid email/);
    }
    const fields = { email: "cleo@example.com", _token: "x" };
    assert.equal((await visitor.submit("/sign-in/forgot", fields)).status, 419);
  });

  it("are asked for by one client ten times at most, whichever server it asks", async () => {
    const visitors = server.origins.map((origin) => new HttpVisitor(origin));
    const statuses: number[] = [];
    for (let asked = 0; asked < 12; asked++) {
      const visitor = visitors[asked % visitors.length];
      await visitor.get("/sign-in/forgot");
      const email = `person-${asked}@example.com`;
      const { status, headers } = await visitor.submit("/sign-in/forgot", { email });
      if (status === 429) assert.ok(Number(headers.get("retry-after")) > 0);
      statuses.push(status);
    }
    // Two were asked for before.
    assert.deepEqual(statuses, [...Array(8).fill(200), ...Array(4).fill(429)]);
  });

  it("leave no address and no token in the log", () => {
    const tokens = mailServer.mails.flatMap(({ text }) => text.match(/[\w-]{43}/g) ?? []);
    assert.ok(tokens.length >= 3);
    for (const token of tokens) assert.ok(!server.log.includes(token));
    assert.doesNotMatch(server.log, /(dora|ben|cleo|nobody|ops|night)@example/);
  });
});

describe("without a mail server", () => {
  it("the settings say how to set it up, and no test is sent", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server, "user");
    assert.match(
      (await ada.get("/admin/settings/server")).text,
      /Email isn(?:'|&#39;)t set up[^]*SMTP_URL/,
    );
    assert.equal((await ada.submit("/admin/settings/mail", {})).status, 404);
    const receivers = "/admin/settings/alerts/receivers";
    assert.match((await ada.get(`${receivers}?kind=email`)).text, /Emails need SMTP_URL/);
    const fields = { name: "Ops", kind: "email", target: "ops@example.com" };
    const refused = await ada.submit(receivers, fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /No mail server is set\. Emails need SMTP_URL and MAIL_FROM/);
    const stranger = new HttpVisitor(server.origin);
    assert.match((await stranger.get("/sign-in")).text, /Ask an admin for a link/);
    assert.equal((await stranger.get("/sign-in/forgot")).status, 404);
    const asked = await stranger.submit("/sign-in/forgot", { email: "ada@example.com" });
    assert.equal(asked.status, 404);
    assert.doesNotMatch(
      (await ada.get(`/admin/settings/team/${await userId(ada, ben)}`)).text,
      /Email a link/,
    );
  });

  it("or with one, where no password signs in, no link is asked for", async () => {
    await using provider = FakeProvider.start();
    await using mailServer = await MailServer.start();
    await using server = await Rollcall.start({
      ...provider.settings,
      ...settingsOf(mailServer),
      PASSWORD_SIGN_IN: "false",
    });
    const stranger = new HttpVisitor(server.origin);
    assert.doesNotMatch((await stranger.get("/sign-in")).text, /forgot/i);
    assert.equal((await stranger.get("/sign-in/forgot")).status, 404);
  });
});

import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { HttpVisitor } from "../../fixtures/http_visitor.ts";
import { MailServer } from "../../fixtures/mail_server.ts";
import { ada as adaAccount, moveIn } from "../../fixtures/people.ts";
import { Rollcall } from "../../fixtures/rollcall.ts";

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
    const { text } = await ada.get("/admin/settings");
    assert.match(text, /Rollcall &lt;rollcall@example\.com>?/);
    assert.match(text, new RegExp(`localhost:${mailServer.port}, with TLS`));
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
    assert.match((await ada.get("/admin/audit")).text, /Sent a test email/);
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
    assert.match((await ada.get("/admin/settings")).text, /last email was not sent[^]*no tests/);
    mailServer.behavior = {};
    await ada.submit(path, {});
    assert.doesNotMatch((await ada.get("/admin/settings")).text, /last email was not sent/);
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

describe("without a mail server", () => {
  it("the settings say how to set it up, and no test is sent", async () => {
    await using server = await Rollcall.start();
    const [ada] = await moveIn(server, "user");
    assert.match(
      (await ada.get("/admin/settings")).text,
      /Email isn(?:'|&#39;)t set up[^]*SMTP_URL/,
    );
    assert.equal((await ada.submit("/admin/settings/mail", {})).status, 404);
  });
});

import { strict as assert } from "node:assert";
import tls from "node:tls";
import { afterEach, describe, it } from "@std/testing/bdd";
import { type MailConfig, mailSettings } from "@/server/config/mail_settings.ts";
import { Mailer, type MailOutcome } from "@/server/mail/mailer.ts";
import { smtpDelivery } from "@/server/mail/smtp.ts";
import { MailServer } from "../../fixtures/mail_server.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { until } from "../../fixtures/eventually.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";

const login = { user: "rollcall@example.com", password: "p@ss:w/örd €" };
const encoded = Object.values(login).map(encodeURIComponent).join(":");
const mail = { to: "ada@example.com", subject: "Grüße aus Köln ☀", text: "Hällo\n.\nAda\n" };

function configOf(url: string): MailConfig {
  return {
    smtp: mailSettings.SMTP_URL.schema.parse(url)!,
    from: { name: "Rollcall, Inc. ü", address: "rollcall@example.com" },
  };
}

/** Makes one attempt. */
async function sendOnce(url: string, more: Partial<typeof mail> = {}): Promise<MailOutcome> {
  const mailer = new Mailer(configOf(url));
  try {
    return await mailer.send({ ...mail, ...more }, { attempts: 1 });
  } finally {
    await mailer.stop();
  }
}

function failureOf(outcome: MailOutcome) {
  assert.ok(!outcome.ok);
  assert.doesNotMatch(outcome.reason, /p@ss|[\r\n]/);
  return outcome;
}

describe("an email to a mail server", () => {
  it("arrives as it was written, from the sender, to its one recipient", async () => {
    await using server = await MailServer.start();
    assert.deepEqual(await sendOnce(`smtp://127.0.0.1:${server.port}`), { ok: true });
    const [arrived] = server.mails;
    assert.deepEqual(arrived.to, [mail.to]);
    assert.deepEqual(arrived.headers.get("from"), ["Rollcall, Inc. ü <rollcall@example.com>"]);
    assert.deepEqual(arrived.headers.get("auto-submitted"), ["auto-generated"]);
    assert.equal(arrived.subject, mail.subject);
    assert.equal(arrived.text, mail.text.trimEnd());
    assert.equal(server.mails.length, 1);
  });

  it("has an HTML part beside its text, when it has both", async () => {
    await using server = await MailServer.start();
    const outcome = await new Mailer(configOf(`smtp://127.0.0.1:${server.port}`))
      .send({ ...mail, text: "plain", html: "<p>marked</p>" });
    assert.ok(outcome.ok);
    assert.match(server.mails[0].raw, /multipart\/alternative[^]*plain[^]*<p>marked<\/p>/);
  });

  it("is refused for good with a 5xx answer, and for now with a 4xx one", async () => {
    await using server = await MailServer.start();
    for (const [code, isTemporary] of [[550, false], [451, true], [421, true]] as const) {
      server.behavior = { refuses: { code, text: "No such user here" } };
      const failure = failureOf(await sendOnce(`smtp://127.0.0.1:${server.port}`));
      assert.equal(failure.isTemporary, isTemporary, String(code));
      assert.match(
        failure.reason,
        /127\.0\.0\.1:\d+ refused the (address|email): .*No such user here/,
      );
      assert.match(failure.code, new RegExp(`^[A-Z]+ ${code}$`));
    }
    assert.equal(server.mails.length, 0);
  });

  it("fails for now when nobody listens, or the name is none, and says so", async () => {
    const server = await MailServer.start();
    const { port } = server;
    await server[Symbol.asyncDispose]();
    const closed = failureOf(await sendOnce(`smtp://127.0.0.1:${port}`));
    assert.ok(closed.isTemporary);
    assert.match(closed.reason, /^The connection to 127\.0\.0\.1:\d+ failed: /);
    const unknown = failureOf(await sendOnce("smtp://nowhere.invalid:25?tls=off"));
    assert.ok(unknown.isTemporary);
    assert.match(unknown.reason, /nowhere\.invalid/);
  });

  it("arrives in a later attempt, after a connection was cut within it", async () => {
    await using server = await MailServer.start();
    server.behavior = { cuts: 1 };
    const clock = new ManualClock();
    const config = configOf(`smtp://127.0.0.1:${server.port}`);
    const deliver = smtpDelivery(config);
    const outcomes: MailOutcome[] = [];
    const mailer = new Mailer(config, {
      clock,
      async deliver(...attempt) {
        const outcome = await deliver(...attempt);
        outcomes.push(outcome);
        return outcome;
      },
    });
    const sent = mailer.send(mail);
    await until(() => outcomes.length === 1);
    assert.match(failureOf(outcomes[0]).reason, /connection to 127\.0\.0\.1:\d+ failed/);
    clock.advance(5_000);
    assert.deepEqual(await sent, { ok: true });
    assert.deepEqual([server.attempts, server.mails.length], [2, 1]);
  });

  it("ends when a stop does not wait for a server that says nothing", async () => {
    await using server = await MailServer.start();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.behavior = { hangs: promise };
    const mailer = new Mailer(configOf(`smtp://127.0.0.1:${server.port}`));
    const sent = mailer.send(mail);
    await until(() => server.attempts === 1);
    await withTimeout(mailer.stop(), "the attempt was ended, long before it times out", 12_000);
    const failure = failureOf(await sent);
    assert.match(failure.reason, /^127\.0\.0\.1:\d+ took too long\.$/);
    resolve();
  });
});

describe("an email by TLS", () => {
  const authorities = tls.getCACertificates("default");
  afterEach(() => tls.setDefaultCACertificates(authorities));

  const trust = ({ certFile }: MailServer) =>
    tls.setDefaultCACertificates([Deno.readTextFileSync(certFile)]);

  for (const secure of [false, true]) {
    const scheme = secure ? "smtps" : "smtp";
    const query = secure ? "" : "?tls=starttls";

    it(`arrives with the login of ${scheme}://`, async () => {
      await using server = await MailServer.startWithTls(login, { secure });
      trust(server);
      const url = `${scheme}://${encoded}@localhost:${server.port}${query}`;
      assert.deepEqual(await sendOnce(url), { ok: true });
      assert.deepEqual(
        server.mails.map(({ isEncrypted, user }) => [isEncrypted, user]),
        [[true, login.user]],
      );
    });

    it(`is not sent when the certificate of ${scheme}:// is not trusted`, async () => {
      await using server = await MailServer.startWithTls(login, { secure });
      const url = `${scheme}://${encoded}@localhost:${server.port}${query}`;
      assert.match(failureOf(await sendOnce(url)).reason, /verify|certificate/);
      assert.equal(server.attempts, 0);
    });
  }

  it("is not sent, nor the login, to a server without TLS", async () => {
    await using server = await MailServer.startWithTls(login, { offersTls: false });
    const url = `smtp://${encoded}@localhost:${server.port}?tls=starttls`;
    const failure = failureOf(await sendOnce(url));
    assert.match(failure.reason, /^No TLS with localhost:\d+/);
    assert.equal(failure.isTemporary, false);
    assert.equal(server.attempts, 0);
  });

  it("fails for good with a wrong login, whose password no reason has", async () => {
    await using server = await MailServer.startWithTls(login);
    trust(server);
    const wrong = encodeURIComponent(`${login.password}!`);
    const url = `smtp://${encodeURIComponent(login.user)}:${wrong}@localhost:${server.port}`;
    const failure = failureOf(await sendOnce(`${url}?tls=starttls`));
    assert.match(failure.reason, /refused the user and password of SMTP_URL: 535 .*•••/);
    assert.equal(failure.isTemporary, false);
  });
});

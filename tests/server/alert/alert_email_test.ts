import assert from "node:assert/strict";
import tls from "node:tls";
import { it } from "@std/testing/bdd";
import {
  addDeliveries,
  addEndedDeliveries,
  recentDeliveries,
} from "@/server/alert/alert_deliveries.ts";
import type { AlertMessage } from "@/server/alert/alert_message.ts";
import { AlertReceivers } from "@/server/alert/alert_receivers.ts";
import { AlertSender } from "@/server/alert/alert_sender.ts";
import {
  changeReceiver,
  forgetAddresses,
  listReceivers,
  readReceiver,
  receiversOf,
  storeReceiver,
} from "@/server/alert/stored_receivers.ts";
import { changeOwnLanguage } from "@/server/accounts/own_account.ts";
import { insertUser } from "@/server/accounts/users.ts";
import { mailSettings } from "@/server/config/mail_settings.ts";
import type { Database } from "@/server/database/database.ts";
import { Mailer } from "@/server/mail/mailer.ts";
import type { LogEntry } from "@/realtime/server.ts";
import { describeOnDatabase } from "../../fixtures/databases.ts";
import { until } from "../../fixtures/eventually.ts";
import { MailServer } from "../../fixtures/mail_server.ts";
import { app } from "../../realtime/harness.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";
import { begun, waitingDeliveries } from "./messages.ts";

const [ada, ben] = ["ada@example.com", "ben@example.com"];
const ended: AlertMessage = { ...begun, at: begun.at + 60_000, phase: "normal", users: 900 };

/** A server that tells alerts by email, and what it logs. */
class MailingServer implements AsyncDisposable {
  readonly clock = new ManualClock();
  readonly logged: LogEntry[] = [];
  readonly mailer: Mailer;
  readonly sender: AlertSender;
  readonly receivers: AlertReceivers;

  constructor(readonly database: Database, url: string) {
    const smtp = mailSettings.SMTP_URL.schema.parse(url)!;
    this.mailer = new Mailer({ smtp, from: { name: "Rollcall", address: "rollcall@example.com" } });
    const options = {
      database,
      send: () => assert.fail("no service is called"),
      app: () => app,
      mail: {
        mailer: this.mailer,
        appUrl: new URL("https://rollcall.example.com/base/"),
        database,
      },
      clock: this.clock,
    };
    this.clock.dateAhead = begun.at + 61_000;
    this.sender = new AlertSender({ ...options, log: (entry) => this.logged.push(entry) });
    this.receivers = new AlertReceivers({ ...options, mayReceive: () => Promise.resolve(false) });
  }

  /** Stores a message for all receivers, as a rule does. */
  async tell(message: AlertMessage): Promise<void> {
    await this.database.exclusively(async (transaction) =>
      addDeliveries(transaction, await receiversOf(transaction, {}), message)
    );
    this.sender.begin();
    this.sender.wake();
  }

  /** Waits until nothing waits any more. */
  async sent(): Promise<void> {
    await until(async () => (await waitingDeliveries(this.database)).length === 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sender.stop();
    await this.mailer.stop();
  }
}

async function addEmails(database: Database, target: string) {
  const read = readReceiver({ name: "Ops", kind: "email", url: "", token: "", target });
  assert.ok(read.ok, JSON.stringify(read));
  const receiver = await storeReceiver(database, { ...read.receiver, createdBy: "" });
  assert.ok(receiver);
  return receiver;
}

describeOnDatabase("an alert by email", (store) => {
  it("reaches each address alone, and its end stands in the same thread", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    await using server = new MailingServer(database, `smtp://127.0.0.1:${mails.port}`);
    const receiver = await addEmails(database, `${ada}; ${ben}\n${ada.toUpperCase()}`);
    await server.tell(begun);
    await server.sent();
    // A test of the same rule between them is no beginning, and an end that follows an end has none.
    await server.receivers.test(receiver, { ...begun, at: begun.at + 1, test: true });
    for (const message of [ended, { ...ended, at: ended.at + 1 }]) {
      await server.tell(message);
      await server.sent();
    }
    const told = mails.mails.filter(({ subject }) => !subject.startsWith("Test"));
    assert.equal(told.length, 6);
    for (const address of [ada, ben]) {
      const [first, second, third, ...more] = told.filter(({ to }) => to.includes(address));
      assert.deepEqual([first.to, second.to, more], [[address], [address], []]);
      assert.equal(third.headers.get("in-reply-to"), undefined);
      assert.equal(
        first.subject,
        "Alert: 1,234 users online in presence-chart (alert: at least 1,000)",
      );
      assert.match(second.subject, /^Back to normal: 900 users online in presence-chart/);
      assert.match(first.text, /^1,234 users online in presence-chart .* That was at 2023-11-14/);
      assert.match(
        first.text,
        /^Who is online now: https:\/\/rollcall\.example\.com\/base\/admin/m,
      );
      assert.match(
        first.text,
        /^https:\/\/rollcall\.example\.com\/base\/admin\/settings\/alerts$/m,
      );
      const id = first.headers.get("message-id");
      assert.match(String(id), /^<[\w-]{22}@example\.com>$/);
      assert.deepEqual(second.headers.get("in-reply-to"), id);
      assert.deepEqual(second.headers.get("references"), id);
      assert.equal(first.headers.get("in-reply-to"), undefined);
    }
  });

  it("is in the language of the account that has the address, else in English", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    await using server = new MailingServer(database, `smtp://127.0.0.1:${mails.port}`);
    const account = { name: "Ada", email: ada, role: "admin" as const, passwordHash: null };
    const added = await database.exclusively((transaction) => insertUser(transaction, account));
    assert.ok(added.ok);
    await changeOwnLanguage(database, added.value.id, "de");
    const written = "Ada@example.com";
    await addEmails(database, `${written}, ${ben}`);
    await server.tell(begun);
    await server.sent();
    const { subject, text } = await mails.arrived(written);
    assert.equal(
      subject,
      "Alarm: 1.234 Benutzer online in presence-chart (Alarm: mindestens 1.000)",
    );
    assert.match(text, /\. Das war am 14\.11\.2023, \d\d:\d\d UTC\.$/m);
    assert.match(text, /^Wer jetzt online ist: https:\/\/rollcall\.example\.com\/base\/admin/m);
    assert.match((await mails.arrived(ben)).subject, /^Alert: 1,234 users online/);
  });

  it("goes to others though one address is refused, whose log has the server's answer", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    await using server = new MailingServer(database, `smtp://127.0.0.1:${mails.port}`);
    await addEmails(database, `${ada}, ${ben}`);
    mails.behavior = { refuses: { code: 451, text: "Try later", only: ben } };
    await server.tell(begun);
    await mails.arrived(ada);
    await until(async () => (await waitingDeliveries(database))[0]?.attempts === 1);
    const [waiting] = await waitingDeliveries(database);
    assert.match(String(waiting.error), /refused the address: 451 Try later/);
    assert.ok(waiting.receiver.endsWith(`/${ben}`));
    mails.behavior = {};
    await until(() => server.clock.timers === 1);
    server.clock.advance(1_000);
    await mails.arrived(ben);
    await server.sent();
    const log = await recentDeliveries(database, 10);
    assert.deepEqual(log.map(({ state, attempts }) => `${state} ${attempts}`).sort(), [
      "delivered 1",
      "delivered 2",
    ]);
    assert.equal(mails.mails.length, 2);
    assert.doesNotMatch(JSON.stringify(server.logged), /@|"receiver"/);
  });

  it("goes by STARTTLS, and waits while the certificate is not trusted", async () => {
    const login = { user: "rollcall", password: "secret-password" };
    await using mails = await MailServer.startWithTls(login);
    const database = await store.open();
    const place = `localhost:${mails.port}?tls=starttls`;
    await using server = new MailingServer(database, `smtp://rollcall:secret-password@${place}`);
    await addEmails(database, ada);
    await server.tell(begun);
    await until(async () => (await recentDeliveries(database, 1))[0].attempts === 1);
    const [{ state, error }] = await recentDeliveries(database, 1);
    assert.equal(state, "waiting");
    assert.match(String(error), /verify|certificate/);
    assert.doesNotMatch(String(error), /secret/);
    const authorities = tls.getCACertificates("default");
    try {
      tls.setDefaultCACertificates([Deno.readTextFileSync(mails.certFile)]);
      await until(() => server.clock.timers === 1);
      server.clock.advance(1_000);
      const { isEncrypted, user } = await mails.arrived(ada);
      assert.deepEqual([isEncrypted, user], [true, login.user]);
      await server.sent();
    } finally {
      tls.setDefaultCACertificates(authorities);
    }
  });

  it("is sent at least once over a cut and a restart, with the same Message-ID", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    const url = `smtp://127.0.0.1:${mails.port}`;
    await addEmails(database, ada);
    mails.behavior = { cuts: 1 };
    let id: string;
    {
      await using first = new MailingServer(database, url);
      await first.tell(begun);
      await until(async () => (await waitingDeliveries(database))[0].attempts === 1);
      const [waiting] = await waitingDeliveries(database);
      assert.match(String(waiting.error), /The connection to 127\.0\.0\.1:\d+ failed/);
      id = waiting.id;
    }
    await using second = new MailingServer(database, url);
    second.clock.dateAhead += 60_000;
    second.sender.begin();
    const { headers } = await mails.arrived(ada);
    assert.deepEqual(headers.get("message-id"), [`<${id}@example.com>`]);
    await second.sent();
  });

  it("adds no header and no recipient, whatever the names in it", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    await using server = new MailingServer(database, `smtp://127.0.0.1:${mails.port}`);
    await addEmails(database, ada);
    const personName = "Eve\r\nBcc: eve@example.com\r\n\r\n=?utf-8?q?x?= \u202e";
    const condition = { kind: "person" as const, userId: "eve", personName };
    await server.tell({ ...begun, condition, name: "A\nB" });
    const { headers, raw, subject, to } = await mails.arrived(ada);
    assert.deepEqual([to, headers.get("to"), headers.get("bcc")], [[ada], [ada], undefined]);
    assert.match(subject, /^Online: Eve Bcc: eve@example\.com/);
    assert.doesNotMatch(raw.split("\r\n\r\n")[0], /^Bcc:/m);
    assert.equal(headers.size, new Set(headers.keys()).size);
  });

  it("shows what came of a test, and logs it for each address", async () => {
    await using mails = await MailServer.start();
    const database = await store.open();
    await using server = new MailingServer(database, `smtp://127.0.0.1:${mails.port}`);
    const receiver = await addEmails(database, `${ada}, ${ben}`);
    const sent = await server.receivers.test(receiver, { ...begun, test: true });
    assert.deepEqual([sent.outcome, sent.status], [{ state: "delivered" }, undefined]);
    assert.match(mails.mails[0].subject, /^Test: /);
    mails.behavior = { refuses: { code: 550, text: "No such user", only: ben } };
    const { outcome } = await server.receivers.test(receiver, { ...begun, test: true });
    assert.ok(outcome.state === "failed" && outcome.reason.includes("550 No such user"));
    const log = await recentDeliveries(database, 10);
    assert.deepEqual(log.map(({ state, attempts }) => `${state} ${attempts}`).sort(), [
      "delivered 1",
      "delivered 1",
      "delivered 1",
      "failed 1",
    ]);
  });

  it("is not sent to an address that was removed or is forgotten", async () => {
    const database = await store.open();
    await using server = new MailingServer(database, "smtp://127.0.0.1:1");
    const receiver = await addEmails(database, `${ada}, ${ben}`);
    await server.tell(begun);
    await server.sender.stop();
    const entered = { ...receiver, settings: { ...receiver.settings, target: ben } };
    await changeReceiver(database, receiver.id, entered);
    const waiting = await waitingDeliveries(database);
    assert.deepEqual(waiting.map((one) => one.receiver), [`${receiver.id}/${ben}`]);
    const error = `550 ${ben}: no such user`;
    await database.exclusively((transaction) =>
      addEndedDeliveries(transaction, [{ receiver: "hook", state: "failed", error }], begun)
    );
    await database.exclusively((transaction) => forgetAddresses(transaction, ["Ben@Example.com"]));
    assert.deepEqual(await recentDeliveries(database, 10), []);
    assert.deepEqual(await listReceivers(database.queries), []);
  });

  it("is refused as a receiver without a mail server, and with no or too many addresses", async () => {
    const database = await store.open();
    const receivers = new AlertReceivers({
      database,
      clock: new ManualClock(),
      send: () => assert.fail(),
      app: () => app,
      mayReceive: () => Promise.resolve(true),
    });
    const entered = { name: "Ops", kind: "email", url: "", token: "", target: ada };
    const made = await receivers.create(entered, "", () => Promise.resolve());
    assert.ok(!made.ok && made.message.includes("SMTP_URL"), JSON.stringify(made));
    const many = Array.from({ length: 11 }, (_, count) => `a${count}@example.com`).join(",");
    for (const target of ["", "ada", `${ada}\r\nBcc: x`, many, "Ada <ada@example.com>"]) {
      const read = readReceiver({ ...entered, target });
      assert.ok(!read.ok && read.field === "target", target);
    }
  });
});

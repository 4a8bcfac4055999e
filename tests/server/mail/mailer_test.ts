import { strict as assert } from "node:assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { type Mail, Mailer, mailLimits, type MailOutcome } from "@/server/mail/mailer.ts";
import type { PreparedMail } from "@/server/mail/smtp.ts";
import { settled } from "../../fixtures/eventually.ts";
import { withTimeout } from "../../fixtures/with_timeout.ts";
import { ManualClock } from "../../realtime/manual_clock.ts";

const config = {
  smtp: { host: "smtp.example.com", port: 587, tls: "starttls" as const },
  from: { name: "Rollcall", address: "rollcall@example.com" },
};
const mail = { to: "ada@example.com", subject: "Hello", text: "Ada" };
const later: MailOutcome = {
  ok: false,
  reason: "smtp.example.com:587 refused the email: 451 Try later",
  isTemporary: true,
  code: "EMESSAGE 451",
};
const never: MailOutcome = { ...later, isTemporary: false, code: "EMESSAGE 550" };

/** An attempt that a test ends. */
interface Attempt {
  mail: PreparedMail;
  signal: AbortSignal;
  at: number;
  end: (outcome: MailOutcome) => Promise<void>;
}

describe("the mailer", () => {
  let clock: ManualClock;
  let mailer: Mailer;
  let attempts: Attempt[];

  beforeEach(() => {
    clock = new ManualClock();
    attempts = [];
    mailer = new Mailer(config, {
      clock,
      deliver: (mail, signal) => {
        const { promise, resolve } = Promise.withResolvers<MailOutcome>();
        const end = async (outcome: MailOutcome) => {
          resolve(outcome);
          await settled();
        };
        attempts.push({ mail, signal, at: clock.now(), end });
        return promise;
      },
    });
  });

  it("says when the mail server took an email", async () => {
    const sent = mailer.send(mail);
    await attempts[0].end({ ok: true });
    assert.deepEqual(await sent, { ok: true });
    assert.equal(mailer.size, 0);
    assert.equal(clock.timers, 0);
  });

  it("tries again after longer and longer pauses, with the same Message-ID, then gives up", async () => {
    const sent = mailer.send(mail);
    for (const seconds of [5, 30, 120, 300, 900, 1_800]) {
      const tried = attempts.length;
      await attempts[tried - 1].end(later);
      clock.advance(1_000 * seconds - 1);
      assert.equal(attempts.length, tried, `before ${seconds} seconds`);
      clock.advance(1);
      assert.equal(attempts.length, tried + 1, `after ${seconds} seconds`);
    }
    await attempts[6].end(later);
    assert.deepEqual(await sent, later);
    clock.advance(10_000_000);
    assert.equal(attempts.length, 7);
    assert.equal(new Set(attempts.map(({ mail }) => mail.messageId)).size, 1);
    assert.match(attempts[0].mail.messageId, /^<[\w-]{36}@example\.com>$/);
  });

  it("makes one attempt for a caller who tries again, or when no other can succeed", async () => {
    const once = mailer.send(mail, { attempts: 1 });
    await attempts[0].end(later);
    assert.deepEqual(await once, later);
    const lasting = mailer.send(mail);
    await attempts[1].end(never);
    assert.deepEqual(await lasting, never);
    clock.advance(10_000_000);
    assert.equal(attempts.length, 2);
  });

  it("keeps the last failure until an email is sent, and has none of what is tried again", async () => {
    mailer.send(mail, { attempts: 2 });
    clock.advance(7);
    await attempts[0].end(later);
    assert.equal(mailer.lastFailure, null);
    clock.advance(5_000);
    await attempts[1].end(never);
    assert.deepEqual(mailer.lastFailure, { at: 5_007, reason: never.reason });
    mailer.send(mail);
    await attempts[2].end({ ok: true });
    assert.equal(mailer.lastFailure, null);
  });

  it("makes two attempts at the same time", async () => {
    for (let sent = 0; sent < 5; sent++) mailer.send(mail);
    assert.equal(attempts.length, 2);
    await attempts[0].end({ ok: true });
    assert.equal(attempts.length, 3);
    for (const { end } of attempts.slice(1)) await end({ ok: true });
    assert.equal(attempts.length, 5);
  });

  it("lets new emails pass those that are tried again later", async () => {
    for (let sent = 0; sent < 2; sent++) mailer.send({ ...mail, subject: "stuck" });
    for (const { end } of attempts.slice()) await end(later);
    mailer.send({ ...mail, subject: "new" });
    assert.deepEqual(attempts.map(({ mail }) => mail.subject), ["stuck", "stuck", "new"]);
  });

  it("makes at most sixty attempts in a minute, and the others after it", async () => {
    for (let sent = 0; sent < 100; sent++) mailer.send(mail);
    for (let index = 0; index < attempts.length; index++) await attempts[index].end({ ok: true });
    assert.equal(attempts.length, mailLimits.perMinute);
    clock.advance(59_999);
    assert.equal(attempts.length, mailLimits.perMinute);
    clock.advance(1);
    for (let index = 60; index < attempts.length; index++) await attempts[index].end({ ok: true });
    assert.equal(attempts.length, 100);
    assert.equal(mailer.size, 0);
  });

  it("refuses more than it can keep", async () => {
    for (let sent = 0; sent < mailLimits.queued; sent++) {
      assert.equal(mailer.canTake, true);
      mailer.send(mail);
    }
    assert.equal(mailer.canTake, false);
    const refused = await withTimeout(mailer.send(mail), "one too many was refused", 5_000);
    assert.deepEqual([refused.ok, !refused.ok && refused.code], [false, "full"]);
    assert.equal(mailer.size, mailLimits.queued);
    await attempts[0].end({ ok: true });
    assert.equal(mailer.canTake, true);
    mailer.send(mail);
    assert.equal(mailer.size, mailLimits.queued);
  });

  it("refuses what is too long beside what waits, until that is sent", async () => {
    const long = { ...mail, html: "x".repeat(100_000) };
    for (let sent = 0; sent < 49; sent++) mailer.send(long);
    assert.equal(mailer.size, 49);
    assert.equal(mailer.canTake, true);
    const tooLong = await withTimeout(
      mailer.send({ ...long, text: "x".repeat(20_000) }),
      "what is too long was refused",
      5_000,
    );
    assert.equal(!tooLong.ok && tooLong.code, "full");
    for (let index = 0; index < attempts.length; index++) await attempts[index].end({ ok: true });
    clock.advance(60_000);
    for (let sent = 0; sent < 49; sent++) mailer.send(long);
    assert.equal(mailer.size, 49);
  });

  it("refuses an email that cannot be sent, with the reason, and makes no attempt", async () => {
    const refused: [Partial<Mail>, RegExp][] = [
      [{ to: "ada" }, /valid email/],
      [{ to: "a@example.com,b@example.com" }, /valid email/],
      [{ subject: " \r\n " }, /subject is empty/],
      [{ text: "x".repeat(20_001) }, /at most 20000/],
      [{ id: "x>\r\nBcc: <y" }, /id of the email/],
      [{ answers: "x y" }, /id of the email/],
    ];
    for (const [part, reason] of refused) {
      const outcome = await mailer.send({ ...mail, ...part });
      assert.ok(!outcome.ok && !outcome.isTemporary);
      assert.match(outcome.reason, reason);
    }
    assert.equal(attempts.length, 0);
  });

  it("ends an attempt that takes too long", () => {
    mailer.send(mail);
    clock.advance(mailLimits.attemptMs - 1);
    assert.equal(attempts[0].signal.aborted, false);
    clock.advance(1);
    assert.equal(attempts[0].signal.aborted, true);
  });

  it("ends what runs and what waits for a caller who ends it, and says nothing of it", async () => {
    const caller = new AbortController();
    const sent = [1, 2, 3].map(() => mailer.send(mail, { attempts: 1, signal: caller.signal }));
    caller.abort();
    assert.deepEqual(attempts.map(({ signal }) => signal.aborted), [true, true]);
    for (const attempt of attempts) await attempt.end(later);
    for (const outcome of await Promise.all(sent)) {
      assert.equal(!outcome.ok && outcome.code, "stopped");
    }
    assert.deepEqual([attempts.length, mailer.size, mailer.lastFailure], [2, 0, null]);
    const late = await mailer.send(mail, { signal: caller.signal });
    assert.equal(!late.ok && late.code, "stopped");
  });

  it("when it stops, waits for what runs, gives up what waits, and begins nothing", async () => {
    const sent = [1, 2, 3].map(() => mailer.send(mail));
    const isStopped = mailer.stop();
    const refused = await mailer.send(mail);
    assert.equal(!refused.ok && refused.code, "stopped");
    const third = await sent[2];
    assert.equal(!third.ok && third.code, "stopped");
    await attempts[0].end({ ok: true });
    assert.deepEqual(await sent[0], { ok: true });
    clock.advance(mailLimits.stopMs);
    assert.equal(attempts[1].signal.aborted, true);
    await attempts[1].end(later);
    await isStopped;
    assert.deepEqual(await sent[1], later);
    assert.deepEqual([attempts.length, mailer.size, clock.timers], [2, 0, 0]);
  });
});

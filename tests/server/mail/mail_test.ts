import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { createTransport } from "nodemailer";
import { checkedMail, longestMail } from "@/server/mail/mail.ts";
import { parsedMail } from "../../fixtures/mail_server.ts";

/** Texts with all that could end a header, and what else senders of bad emails try. */
const nasty = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(
    fc.constantFrom(
      ...["\r", "\n", "\r\n", "\0", "\u2028", "\x85", "\ud800", "\r\n\r\n", ".\r\n", "\v"],
      ...["Bcc: eve@example.com", "To: eve@example.com", "<eve@example.com>", ",", ";", '"', "@"],
      ...["=?utf-8?Q?=0D=0ABcc:=20eve@example.com?=", "x", " ", "ada@example.com", "\\", "(", ")"],
    ),
    { maxLength: 12 },
  ).map((parts) => parts.join("")),
);

const expected = [
  ...["auto-submitted", "content-type", "date", "from", "message-id", "mime-version", "subject"],
  "to",
];

/** An email as it goes over the wire. */
async function composed(mail: { to: string; subject: string; text: string }) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const { to, ...parts } = mail;
  const { message, envelope } = await transport.sendMail({
    ...parts,
    from: { name: "Rollcall", address: "rollcall@example.com" },
    to: { name: "", address: to },
    headers: { "Auto-Submitted": "auto-generated" },
  });
  return { raw: String(message), to: envelope.to };
}

describe("an email", () => {
  it("has no header and no recipient that its texts could add, whatever they are", async () => {
    const property = fc.asyncProperty(nasty, nasty, nasty, async (to, subject, text) => {
      const address = to.includes("@") ? to : "ada@example.com";
      const checked = checkedMail({ to: address, subject: `${subject}.`, text });
      if (!checked.ok) return;
      const { raw, to: recipients } = await composed(checked.mail);
      const { headers, subject: shown } = parsedMail(raw.replace(/\r?\n/g, "\r\n"));
      const names = [...headers.keys()].filter((name) => name !== "content-transfer-encoding");
      assert.deepEqual(names.sort(), expected);
      for (const values of headers.values()) assert.equal(values.length, 1);
      assert.deepEqual(recipients, [checked.mail.to]);
      assert.equal(recipients.length, 1);
      assert.doesNotMatch(shown, /[\r\n\0\u2028\x85]/);
    });
    await fc.assert(property, { numRuns: 1_000 });
  });

  it("has a subject of one line, and at most 150 characters", () => {
    const subject = `a\r\nBcc: b\u2028c\u202ed${"😀".repeat(200)}`;
    const checked = checkedMail({ to: "ada@example.com", subject, text: "" });
    assert.ok(checked.ok);
    assert.match(checked.mail.subject, /^a Bcc: b c d😀+$/u);
    assert.equal([...checked.mail.subject].length, longestMail.subject);
  });

  it("keeps lines and tabs of its text, and no other control character", () => {
    const checked = checkedMail({
      to: " ada@example.com ",
      subject: "x",
      text: "a\r\nb\rc\n\td\0\x1b[31m\x7f",
    });
    assert.deepEqual(checked, {
      ok: true,
      mail: { to: "ada@example.com", subject: "x", text: "a\nb\nc\n\td[31m" },
    });
  });
});

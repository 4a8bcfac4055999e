import { strict as assert } from "node:assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigError, parseConfig } from "@/server/config/config.ts";

const from = "Rollcall <rollcall@example.com>";

/** The lines about settings that are refused; empty for none. */
function problems(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("\n");
    throw error;
  }
}

const mailOf = (SMTP_URL: string, MAIL_FROM = from) => parseConfig({ SMTP_URL, MAIL_FROM }).mail;

describe("the settings of emails", () => {
  it("are both there or none", () => {
    assert.equal(parseConfig({}).mail, undefined);
    assert.match(problems({ SMTP_URL: "smtp://smtp.example.com" }), /^MAIL_FROM: not given/);
    assert.match(problems({ MAIL_FROM: from }), /^SMTP_URL: not given/);
  });

  it("have TLS unless the server is this machine, or the setting says so", () => {
    const cases: [url: string, port: number, tls: string][] = [
      ["smtp://smtp.example.com", 587, "starttls"],
      ["smtp://10.0.0.1:25", 25, "starttls"],
      ["smtp://localhost.example.com", 587, "starttls"],
      ["smtps://smtp.example.com", 465, "from_start"],
      ["smtps://localhost:8465", 8465, "from_start"],
      ["smtp://localhost:25", 25, "off"],
      ["smtp://127.0.0.1", 587, "off"],
      ["smtp://[::1]:2525", 2525, "off"],
      ["smtp://localhost?tls=starttls", 587, "starttls"],
      ["smtp://mailpit:1025?tls=off", 1025, "off"],
    ];
    for (const [url, port, tls] of cases) {
      const smtp = mailOf(url)?.smtp;
      assert.deepEqual([smtp?.port, smtp?.tls], [port, tls], url);
    }
  });

  it("take user and password with special characters as %-codes", () => {
    const smtp = mailOf("smtp://rollcall%40example.com:p%40ss%2F%3A%25w@[2001:db8::1]:587")?.smtp;
    assert.deepEqual(smtp, {
      host: "2001:db8::1",
      port: 587,
      tls: "starttls",
      login: { user: "rollcall@example.com", password: "p@ss/:%w" },
    });
  });

  it("refuse what is no mail server, without printing a password", () => {
    const wrong = [
      "smtp.example.com",
      "http://smtp.example.com",
      "smtp://",
      "smtp://smtp.example.com/inbox",
      "smtp://smtp.example.com#x",
      "smtp://smtp.example.com?tls=no",
      "smtps://smtp.example.com?tls=off",
      "smtp://hunter2@smtp.example.com",
      "smtp://user:hunter2%0d%0aRSET@smtp.example.com",
      "smtp://user:hunter2%zz@smtp.example.com",
      "smtp://user:hunter2@smtp.example.com:99999",
    ];
    for (const SMTP_URL of wrong) {
      const text = problems({ SMTP_URL, MAIL_FROM: from });
      assert.match(text, /^SMTP_URL: \(secret, not shown\) .*smtps:\/\//, SMTP_URL);
      assert.doesNotMatch(text, /hunter2/);
    }
  });

  it("take a sender with or without a name", () => {
    const senders = {
      "rollcall@example.com": { name: "", address: "rollcall@example.com" },
      "<rollcall@example.com>": null,
      "Rollcall <rollcall@example.com>": { name: "Rollcall", address: "rollcall@example.com" },
      "Ünïted, Inc. <a.b+c@mail.example.com>": {
        name: "Ünïted, Inc.",
        address: "a.b+c@mail.example.com",
      },
      "Rollcall": null,
      "a@example.com, b@example.com": null,
      "A <a@example.com> <b@example.com>": null,
      "A\r\nBcc: x@example.com <a@example.com>": null,
    };
    for (const [text, sender] of Object.entries(senders)) {
      if (sender) assert.deepEqual(mailOf("smtp://localhost", text)?.from, sender, text);
      else assert.match(problems({ SMTP_URL: "smtp://localhost", MAIL_FROM: text }), /^MAIL_FROM/);
    }
  });
});

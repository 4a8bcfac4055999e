import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { sendForm } from "@/components/page/confirm.ts";

/** Stands in for a form of a page. */
class FakeForm {
  ariaBusy: string | null = null;
  resets = 0;
  outcome = { className: "", textContent: null as string | null };
  getAttribute = () => "/admin/messages";
  querySelector = () => this.outcome;
  reset = () => void this.resets++;
}

describe("a form that the page sends itself", () => {
  const originalFetch = globalThis.fetch;
  let form: FakeForm;
  let sent: string[];
  let answer: () => Promise<Response>;
  const data: [string, string][] = [["text", "Hi & bye"], ["confirmed", "yes"]];

  beforeEach(() => {
    form = new FakeForm();
    sent = [];
    answer = () => Promise.resolve(Response.json({ message: "Message sent." }));
    globalThis.fetch = (input, init) => {
      sent.push(`${init?.method} ${input} ${init?.body}`);
      return answer();
    };
  });
  afterEach(() => {
    globalThis.fetch = originalFetch;
  });

  it("is sent once, however often its button is pressed before the answer", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    answer = () => promise;
    const sendings = [sendForm(form, data), sendForm(form, data), sendForm(form, data)];
    resolve(Response.json({ message: "Message sent." }));
    await Promise.all(sendings);
    assert.deepEqual(sent, ["POST /admin/messages text=Hi+%26+bye&confirmed=yes"]);
  });

  it("is empty after it was accepted, says so and can be sent again", async () => {
    await sendForm(form, data);
    assert.equal(form.resets, 1);
    assert.deepEqual(form.outcome, {
      className: "notice notice-success",
      textContent: "Message sent.",
    });
    await sendForm(form, data);
    assert.equal(sent.length, 2);
  });

  it("keeps what was written when it was refused, with the reason", async () => {
    answer = () => Promise.resolve(Response.json({ message: "Too long." }, { status: 422 }));
    await sendForm(form, data);
    assert.equal(form.resets, 0);
    assert.deepEqual(form.outcome, {
      className: "notice notice-error",
      textContent: "Too long.",
    });
  });

  for (
    const [what, failing] of [
      ["the network fails", () => Promise.reject(new TypeError("Failed to fetch"))],
      ["a proxy answers with a page", () => Promise.resolve(new Response("<h1>Bad gateway</h1>"))],
    ] as const
  ) {
    it(`keeps what was written and can be sent again when ${what}`, async () => {
      answer = failing;
      await sendForm(form, data);
      assert.equal(form.resets, 0);
      assert.match(String(form.outcome.textContent), /^Couldn't reach the server/);
      await sendForm(form, data);
      assert.equal(sent.length, 2);
    });
  }
});

import assert from "node:assert/strict";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { AdmittedSocket } from "../../../fixtures/admitted_socket.ts";
import { addApp } from "../../../fixtures/connected_apps.ts";
import type { Answer, HttpVisitor } from "../../../fixtures/http_visitor.ts";
import { cleo as cleoAccount, moveIn, userId } from "../../../fixtures/people.ts";
import { Rollcall } from "../../../fixtures/rollcall.ts";
import { makeEmbed } from "../../../fixtures/embeds.ts";
import { makeInvite } from "../../../fixtures/account_links.ts";
import { makeLink } from "../../../fixtures/wallboards.ts";
import { keptState } from "./kept_state.ts";
import { type Sample, table } from "./table.ts";

const key = "a-key-of-the-tests";

describe("a forged request of another site", () => {
  let server: Rollcall;
  let ada: HttpVisitor;
  let ben: HttpVisitor;
  let cleo: HttpVisitor;
  let samples: Sample[];

  beforeAll(async () => {
    server = await Rollcall.start({ PUSHER_APP_KEY: key, PUSHER_APP_SECRET: "s".repeat(20) });
    [ada, ben, cleo] = await moveIn(server, "user");
    const cleoId = await userId(ada, cleoAccount);
    const { id: linkId } = await makeLink(ada);
    const { id: embedId } = await makeEmbed(ada);
    const appId = await addApp(ada, "Chat");
    const guestId = `guest-${"0".repeat(32)}`;
    const inviteId = await makeInvite(ada);
    const scene = { cleoId, appId, linkId, embedId, inviteId, guestId, socketId: "1.2" };
    samples = Object.entries(table(scene))
      .flatMap(([route, samples]) => route.startsWith("POST") ? samples : []);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Every way to send a form without the token of the page. */
  const ways: Record<string, (sample: Sample) => Promise<Answer>> = {
    "without a token": ({ path, fields }) => send(path, fields ?? {}),
    "with an empty token": ({ path, fields }) => send(path, { ...fields, _token: "" }),
    "with a made-up token": ({ path, fields }) =>
      send(path, { ...fields, _token: "x".repeat(ada.csrfToken.length) }),
    "with a token of another session": ({ path, fields }) =>
      send(path, { ...fields, _token: ben.csrfToken }),
    "with a wrong token in the header, whatever the form says": ({ path, fields }) =>
      send(path, { ...fields, _token: ada.csrfToken }, { "x-csrf-token": ben.csrfToken }),
    "with the token in the address": ({ path, fields }) =>
      send(`${path}?_token=${encodeURIComponent(ada.csrfToken)}`, fields ?? {}),
    "as JSON without a token": ({ path, fields }) =>
      ada.send("POST", path, JSON.stringify({ ...fields, confirmed: "yes" }), {
        "content-type": "application/json",
      }),
  };
  const send = (path: string, fields: Record<string, string>, headers = {}) =>
    ada.send("POST", path, new URLSearchParams({ ...fields, confirmed: "yes" }), {
      accept: "text/html",
      ...headers,
    });

  for (const [way, sendIt] of Object.entries(ways)) {
    it(`is refused ${way}, and changes nothing`, async () => {
      await using tab = await AdmittedSocket.connect(server, key, cleo);
      await tab.join("presence-chart");
      const before = keptState(server);
      assert.ok(samples.length > 10);
      for (const sample of samples) {
        const { status, headers } = await sendIt(sample);
        const isSignIn = ["/sign-in", "/sign-out"].includes(sample.path.split("?")[0]);
        const isLedBack = isSignIn && status === 303 && headers.get("location") === "/sign-in";
        assert.ok(status === 419 || isLedBack, `${sample.path}: ${status}`);
      }
      assert.equal(keptState(server), before);
      assert.equal(tab.socket.readyState, WebSocket.OPEN);
      assert.deepEqual(tab.frames.filter(({ event }) => event.includes("MessageSent")), []);
      assert.equal((await ada.get("/admin/online")).status, 200, "still signed in");
    });
  }

  it("is refused with a method other than POST", async () => {
    const before = keptState(server);
    for (const { path, fields } of samples) {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const body = new URLSearchParams({ ...fields, _token: ada.csrfToken, confirmed: "yes" });
        const { status } = await ada.send(method, path, body);
        assert.ok([404, 405].includes(status), `${method} ${path}: ${status}`);
      }
    }
    assert.equal(keptState(server), before);
  });
});

import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "@std/testing/bdd";
import { type AlertMessage, textOf } from "@/server/alert/alert_message.ts";
import { attempt } from "@/server/alert/alert_sender.ts";
import { sendToPublicAddress } from "@/server/alert/alert_webhook.ts";
import {
  outcomeOf,
  type ReceiverSettings,
  requestOf,
  type ServiceAnswer,
} from "@/server/alert/receiver_kinds.ts";
import { readReceiver } from "@/server/alert/stored_receivers.ts";
import { parseNetwork } from "@/server/net/client_address.ts";
import { type HookKind, receiverKinds } from "@/shared/alert.ts";
import { app } from "../../realtime/harness.ts";
import { begun } from "./messages.ts";
import { webhookOf } from "../../realtime/webhooks/harness.ts";

const kinds = Object.keys(receiverKinds).filter((kind) => kind !== "email") as HookKind[];

const sentence = "1,234 users online in presence-chart (alert: at least 1,000).";

/** A service as its documents describe it: what it is called with, and what it answers. */
interface Documented extends Omit<ReceiverSettings, "url"> {
  /** The path and query of its URL. */
  at: string;
  /** Where the request has to arrive, if elsewhere. */
  path?: string;
  headers?: Record<string, string>;
  body: unknown;
  /** Bodies of a success. */
  taken: [status: number, body: string][];
  /** Answers that are none. */
  refused: [status: number, body: string][];
}

const documented: Record<Exclude<HookKind, "webhook">, Documented> = {
  slack: {
    at: "/services/T000/B000/XXXX",
    body: { text: `Alert: ${sentence}`, mrkdwn: false },
    taken: [[200, "ok"]],
    refused: [[404, "no_service"], [400, "invalid_payload"], [200, "<html>Sign in</html>"]],
  },
  discord: {
    at: "/api/webhooks/123/XXXX-token",
    body: {
      content: `Alert: ${sentence.replace("(", "\\(").replace(")", "\\)")}`,
      allowed_mentions: { parse: [] },
    },
    taken: [[204, ""], [200, "{}"]],
    refused: [[404, '{"message":"Unknown Webhook","code":10015}'], [302, ""]],
  },
  teams: {
    at: "/workflows/abc/triggers/manual/paths/invoke?sig=secret",
    body: {
      type: "message",
      attachments: [{
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [
            {
              type: "TextBlock",
              text: "Alert",
              weight: "Bolder",
              size: "Medium",
              color: "Attention",
            },
            { type: "RichTextBlock", inlines: [{ type: "TextRun", text: sentence }] },
          ],
        },
      }],
    },
    taken: [[202, ""], [200, "1"]],
    refused: [[200, "Webhook message delivery failed with error: HTTP error 413"], [400, ""]],
  },
  mattermost: {
    at: "/hooks/xxx-key",
    body: { text: `Alert: ${sentence.replace("(", "\\(").replace(")", "\\)")}` },
    taken: [[200, "ok"]],
    refused: [[400, '{"message":"No text specified"}'], [200, "{}"]],
  },
  googleChat: {
    at: "/v1/spaces/AAA/messages?key=k&token=t",
    body: { text: `Alert: ${sentence}` },
    taken: [[200, '{"name":"spaces/AAA/messages/1","text":"Alert"}']],
    refused: [[400, '{"error":{"code":400}}'], [200, "<html>"]],
  },
  telegram: {
    at: "/",
    path: "/bot123456:ABC-def_0123/sendMessage",
    token: "123456:ABC-def_0123",
    target: "-1001234567890",
    body: {
      chat_id: "-1001234567890",
      text: `Alert: ${sentence}`,
      link_preview_options: { is_disabled: true },
    },
    taken: [[200, '{"ok":true,"result":{"message_id":1}}']],
    refused: [
      [401, '{"ok":false,"error_code":401,"description":"Unauthorized"}'],
      [200, '{"ok":false}'],
    ],
  },
  ntfy: {
    at: "/base/my-topic",
    path: "/base/",
    token: "tk_secret",
    headers: { authorization: "Bearer tk_secret" },
    body: {
      topic: "my-topic",
      title: "Rollcall: Alert",
      message: sentence,
      priority: 4,
      tags: ["warning"],
    },
    taken: [[200, '{"id":"sPs71M8A2T","event":"message","topic":"my-topic"}']],
    refused: [[403, '{"code":40301,"http":403,"error":"forbidden"}'], [200, "<html>"]],
  },
  gotify: {
    at: "/base",
    path: "/base/message",
    token: "AsWLgIPGRg8mwDv",
    headers: { "x-gotify-key": "AsWLgIPGRg8mwDv" },
    body: { title: "Rollcall: Alert", message: sentence, priority: 8 },
    taken: [[200, '{"id":25,"appid":5,"message":"text"}']],
    refused: [[401, '{"error":"Unauthorized","errorCode":401}'], [200, "welcome"]],
  },
};

for (const [kind, service] of Object.entries(documented) as [HookKind, Documented][]) {
  const { at, path = at, token = "", target = "" } = service;

  /** Tells a service on loopback, entered as an admin does. */
  const tell = async (status: number, text: string) => {
    const requests: { path: string; headers: Headers; body: string }[] = [];
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      async (request) => {
        const { pathname, search } = new URL(request.url);
        requests.push({
          path: pathname + search,
          headers: request.headers,
          body: await request.text(),
        });
        return new Response(status === 204 ? null : text, { status });
      },
    );
    const url = `http://127.0.0.1:${server.addr.port}${at}`;
    const read = readReceiver({ name: "Ops", kind, url, token, target });
    assert.ok(read.ok, JSON.stringify(read));
    const send = sendToPublicAddress([parseNetwork("127.0.0.1")!]);
    const clock = { now: () => 0, date: () => begun.at, after: () => () => {} };
    const result = await attempt(
      read.receiver,
      { id: "one", message: begun },
      { send, app: () => app, clock },
    );
    return { ...result, requests };
  };

  describe(`an alert to ${receiverKinds[kind]}`, () => {
    it("is sent in the form that its documents have", async () => {
      const { requests: [request, ...more], outcome } = await tell(...service.taken[0]);
      assert.deepEqual([outcome, more], [{ state: "delivered" }, []]);
      assert.equal(request.path, path);
      assert.match(request.headers.get("content-type") ?? "", /^application\/json/);
      for (const [name, value] of Object.entries(service.headers ?? {})) {
        assert.equal(request.headers.get(name), value);
      }
      assert.deepEqual(JSON.parse(request.body), service.body);
    });

    it("is delivered with the answers that mean so, and no others", async () => {
      for (const answer of service.taken) {
        assert.equal((await tell(...answer)).outcome.state, "delivered", String(answer));
      }
      for (const answer of [...service.refused, [500, "oops"], [429, ""]] as [number, string][]) {
        assert.equal((await tell(...answer)).outcome.state, "failed", String(answer));
      }
    });
  });
}

describe("an alert to a webhook", () => {
  it("is an event signed by the app, with the id of the delivery in a header", () => {
    const settings = { url: "https://example.com/hook" };
    const sending = { id: "the-id", message: begun, app };
    const { headers, body } = requestOf("webhook", settings, sending, begun.at);
    assert.equal(headers["x-rollcall-delivery"], "the-id");
    const webhook = webhookOf({ headers, rawBody: body });
    assert.ok(webhook.isValid());
    assert.deepEqual(webhook.getEvents() as unknown, [{
      name: "users_online_threshold",
      channel: "presence-chart",
      direction: "up",
      threshold: 1_000,
      users: 1_234,
    }]);
  });
});

describe("the words of an alert", () => {
  const words = (change: Partial<AlertMessage>, later = 0) => {
    const message = { ...begun, ...change };
    const { title, text } = textOf(message, message.at + later);
    return `${title}: ${text}`;
  };
  const low = { kind: "threshold" as const, direction: "down" as const, threshold: 5 };
  const lowActive = { ...low, onlyActive: true as const };

  it("say what it is about", () => {
    assert.equal(words({}), `Alert: ${sentence}`);
    assert.equal(
      words({ phase: "normal", users: 1 }),
      "Back to normal: 1 user online in presence-chart (alert: at least 1,000).",
    );
    assert.equal(
      words({ condition: low, users: 0, test: true }),
      "Test: 0 users online in presence-chart (alert: fewer than 5).",
    );
    assert.equal(
      words({ condition: lowActive, users: 4 }),
      "Alert: 4 active in presence-chart (alert: fewer than 5).",
    );
  });

  it("say how many were guests, where there are any", () => {
    assert.equal(
      words({ guests: 1_203 }),
      "Alert: 1,234 online (31 users, 1,203 guests) in presence-chart (alert: at least 1,000).",
    );
    assert.equal(
      words({
        guests: 3,
        users: 5,
        condition: { kind: "fall", percent: 30, minutes: 1, before: 9 },
      }),
      "Alert: 5 online (2 users, 3 guests) in presence-chart, down from 9 within 1 minute.",
    );
  });

  it("say when it was, where they come late", () => {
    assert.equal(words({}, 60_000), words({}));
    assert.equal(words({}, 60_001), `${words({})} That was at 2023-11-14 22:13 UTC.`);
  });
});

describe("what a service is sent", () => {
  const names = fc.stringMatching(/^presence-[\w@<>!|*_~`[\]()#&\\ -]{0,60}$/);
  const bodyFor = (kind: HookKind, channel: string) => {
    const settings = { url: "https://example.com/topic", token: "t", target: "1" };
    const message = { ...begun, channel };
    return requestOf(kind, settings, { id: "one", message, app }, begun.at).body;
  };

  it("is JSON for any name of a channel, and mentions no one", () => {
    fc.assert(fc.property(names, (channel) => {
      for (const kind of kinds) assert.ok(JSON.parse(bodyFor(kind, channel)));
      const slack: string = JSON.parse(bodyFor("slack", channel)).text;
      assert.doesNotMatch(slack, /[<>]/);
      assert.doesNotMatch(JSON.parse(bodyFor("googleChat", channel)).text, /[<>]/);
      assert.doesNotMatch(JSON.parse(bodyFor("mattermost", channel)).text, /@\w/);
      assert.deepEqual(JSON.parse(bodyFor("discord", channel)).allowed_mentions, { parse: [] });
      assert.doesNotMatch(
        JSON.parse(bodyFor("discord", channel)).content.replaceAll(/\\./g, ""),
        /[*_`[\]<>|~]/,
      );
    }));
  });

  const name = "<!channel> @everyone *x* _y_ ~z~ `c` [a](b) #top /stop a_b & <users/all>";
  const shown: Partial<Record<HookKind, string>> = {
    slack:
      "&lt;!channel&gt; @everyone *x* _y_ ~z~ `c` [a](b) #top /stop a_b &amp; &lt;users/all&gt;",
    discord:
      "\\<!channel\\> @everyone \\*x\\* \\_y\\_ \\~z\\~ \\`c\\` \\[a\\]\\(b\\) \\#top /stop " +
      "a\\_b & \\<users/all\\>",
    teams: name,
    mattermost:
      "\\<!channel\\> @\u200beveryone \\*x\\* \\_y\\_ \\~z\\~ \\`c\\` \\[a\\]\\(b\\) \\#top /stop " +
      "a\\_b & \\<users/all\\>",
    googleChat:
      "‹!channel› @everyone ＊x＊ ＿y＿ ～z～ ｀c｀ ［a］(b) #top /stop a_b & ‹users/all›",
    telegram: "<!channel> @\u200beveryone *x* _y_ ~z~ `c` [a](b) #\u200btop /\u200bstop a_b & " +
      "<users/\u200ball>",
  };
  for (const [kind, text] of Object.entries(shown)) {
    it(`has a name that is no mention and no markup of ${kind}`, () => {
      const settings = { url: "https://example.com/topic", token: "t", target: "1" };
      const condition = { kind: "person" as const, userId: "eve", personName: name };
      const message = { ...begun, condition };
      const sent = requestOf(kind as HookKind, settings, { id: "one", message, app }, begun.at);
      const { text: plain, content, attachments, mrkdwn, parse_mode } = JSON.parse(sent.body);
      const run = attachments?.[0].content.body[1].inlines[0];
      assert.ok(String(plain ?? content ?? run.text).includes(`${text} is online`), sent.body);
      assert.equal(parse_mode, undefined);
      if (kind === "slack") assert.equal(mrkdwn, false);
      if (kind === "teams") assert.equal(run.type, "TextRun");
    });
  }

  it("has no more characters than Discord takes", () => {
    const { content } = JSON.parse(bodyFor("discord", `presence-${"_".repeat(3_000)}`));
    assert.ok(content.length <= 2_000);
  });
});

describe("an answer that limits requests", () => {
  const waits: [kind: HookKind, answer: Partial<ServiceAnswer>, waitMs: number | undefined][] = [
    ["slack", { retryAfter: "30" }, 30_000],
    ["webhook", { retryAfter: new Date(begun.at + 90_000).toUTCString() }, 90_000],
    ["webhook", { status: 503, retryAfter: "7" }, 7_000],
    ["discord", { retryAfter: "1", text: '{"message":"…","retry_after":64.57}' }, 64_570],
    ["telegram", { text: '{"ok":false,"parameters":{"retry_after":34}}' }, 34_000],
    ["slack", { retryAfter: "999999" }, 3_600_000],
    ["slack", { retryAfter: "soon" }, undefined],
    ["slack", {}, undefined],
  ];
  for (const [kind, answer, waitMs] of waits) {
    it(`of ${kind} with ${JSON.stringify(answer)} asks to wait ${waitMs} ms`, () => {
      const outcome = outcomeOf(kind, { status: 429, text: "", ...answer }, begun.at);
      assert.ok(outcome.state === "failed" && outcome.isTemporary);
      assert.equal(outcome.waitMs, waitMs);
    });
  }
});

describe("a receiver that is entered", () => {
  const entered = { name: "Ops", kind: "slack", url: "", token: "", target: "" };
  const read = (change: Partial<typeof entered>) => readReceiver({ ...entered, ...change });
  const refused: [change: Partial<typeof entered>, field: string][] = [
    [{ name: "", url: "https://hooks.slack.com/services/T/B/X" }, "name"],
    [{ kind: "pager", url: "https://example.com/" }, "kind"],
    [{}, "url"],
    [{ url: "https://hooks.slack.com/" }, "url"],
    [{ url: "ftp://hooks.slack.com/services/T/B/X" }, "url"],
    [{ url: "https://a:b@hooks.slack.com/services/T/B/X" }, "url"],
    [{ kind: "discord", url: "https://discord.com/api/webhooks/1/X/slack" }, "url"],
    [{ kind: "googleChat", url: "https://chat.googleapis.com/v1/spaces/A/messages" }, "url"],
    [{ kind: "teams", url: "https://example.com/" }, "url"],
    [{ kind: "telegram", target: "1" }, "token"],
    [{ kind: "telegram", token: "123456:ABCDEFGHIJ" }, "target"],
    [{ kind: "telegram", token: "123456:ABCDEFGHIJ/../x", target: "1" }, "token"],
    [{ kind: "gotify", url: "https://example.com/" }, "token"],
    [{ kind: "gotify", url: "https://example.com/", token: "a\r\nb" }, "token"],
    [{ kind: "ntfy", url: "https://ntfy.sh/" }, "url"],
  ];
  for (const [change, field] of refused) {
    it(`is refused with ${JSON.stringify(change)}, and the ${field} is named`, () => {
      const result = read(change);
      assert.equal(result.ok ? "" : result.field, field);
    });
  }

  it("needs no address of Telegram, and no token of ntfy", () => {
    const telegram = read({ kind: "telegram", token: "123456:ABCDEFGHIJ", target: "@ops" });
    assert.ok(telegram.ok && telegram.receiver.settings.url === "https://api.telegram.org");
    assert.ok(read({ kind: "ntfy", url: "https://ntfy.sh/topic" }).ok);
  });

  it("keeps its secrets when they are left empty, a token for the same URL only", () => {
    const before = {
      name: "Ops",
      kind: "gotify" as const,
      settings: { url: "https://gotify.example.com", token: "a-token" },
    };
    const change = { name: "Team", kind: "gotify", url: "", token: "", target: "" };
    assert.deepEqual(readReceiver(change, before), {
      ok: true,
      receiver: { ...before, name: "Team" },
    });
    const elsewhere = readReceiver({ ...change, url: "https://other.example.com" }, before);
    assert.equal(elsewhere.ok ? "" : elsewhere.field, "token");
  });
});

import { randomBytes } from "node:crypto";
import { z } from "zod";
import { type Exchange, exchange } from "../exchange.ts";
import { type Journey, left, type Step } from "../step.ts";
import { codeOf } from "../printable.ts";
import { signedPost } from "../signed_call.ts";
import { below, type Target } from "../target.ts";
import { failed, notTried, ok, type Verdict } from "../verdict.ts";

const eventName = "rollcall-self-test";

const reasonSchema = z.object({ reason: z.string() });

/** An event that is sent over the HTTP API arrives at the socket. */
export const eventStep: Step = {
  name: "event",
  title: "Event round trip",
  needs: ["signature"],
  async run(journey) {
    const { client, target, patienceMs } = journey;
    if (target.isHosted && !target.isAppIdGiven) {
      return notTried("PUSHER_APP_ID is not set; without it no event can be sent there.");
    }
    const mark = randomBytes(9).toString("base64url");
    const start = performance.now();
    let answer: Exchange;
    try {
      answer = await trigger(journey, mark);
    } catch (error) {
      return failed(
        `The call of the HTTP API gets no answer (${codeOf(error)}).`,
        "Let the proxy pass POST requests below `/apps/` on, as all others.",
      );
    }
    if (answer.status !== 200) return triggerVerdict(target, answer);
    try {
      await left(client).next(
        ({ event, data }) => event === eventName && data === mark,
        patienceMs,
      );
      return ok(`It takes ${Math.round(performance.now() - start)} ms.`);
    } catch (error) {
      return failed(
        `The HTTP API has taken the event, but it does not come to the socket (${codeOf(error)}).`,
        "Let what is in between pass frames on at once: no buffering, and no scanning of contents.",
        "If several servers share the address, let one of them take all.",
      );
    }
  },
};

/** Sends the event. */
async function trigger({ target, channel, patienceMs }: Journey, data: string): Promise<Exchange> {
  const { app, api } = target;
  const body = JSON.stringify({ name: eventName, channel, data: JSON.stringify(data) });
  const url = below(api, signedPost(app, `/apps/${app.id}/events`, body));
  return await exchange(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  }, patienceMs);
}

/** Judges a call that was not answered with 200. */
export function triggerVerdict(
  { isHosted, app }: Pick<Target, "isHosted" | "app">,
  { status, body }: Pick<Exchange, "status" | "body">,
): Verdict {
  const found = `The HTTP API answers with status ${status}`;
  switch (reasonOf(body)) {
    case "expired_timestamp":
      return failed(
        `${found}: the clocks are too far apart.`,
        "Let both machines set their clocks: `timedatectl set-ntp true`.",
      );
    case "over_quota":
      return failed(`${found}: too many calls.`, "Raise API_REQUESTS_PER_SECOND, or try again.");
    case "unknown_app":
      return failed(
        `${found}: there is no app ${app.id}.`,
        "Let PUSHER_APP_ID be the same here and at the server.",
      );
    case "invalid_signature":
      return failed(
        `${found}: the signature is not that of this path, query and body.`,
        "Pass path, query and body on as they are: no rewrite, and no decoding of %-escapes.",
      );
  }
  if (isHosted) {
    return failed(
      `${found}.`,
      "Correct PUSHER_APP_ID, PUSHER_APP_KEY or PUSHER_APP_SECRET, or the cluster.",
    );
  }
  if (status === 413) {
    return failed(`${found}.`, "Allow bodies of 1 MB: `client_max_body_size 1m;` in nginx.");
  }
  return failed(
    `${found}, and not as Rollcall would.`,
    "Let the proxy pass POST requests below `/apps/` on, as all others: no `limit_except`, no " +
      "`location` of their own.",
  );
}

function reasonOf(body: string): string {
  try {
    return reasonSchema.safeParse(JSON.parse(body)).data?.reason ?? "";
  } catch {
    return "";
  }
}

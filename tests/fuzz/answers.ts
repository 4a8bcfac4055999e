import assert from "node:assert/strict";
import { z } from "zod";
import type { ApiCall } from "./api_calls.ts";
import type { HttpAnswer } from "./wire.ts";
import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { AppConfig } from "@/realtime/app_config.ts";
import { closeCodes, errorCodes } from "@/realtime/protocol/close_codes.ts";

const refusal = z.strictObject({ reason: z.string().min(1), message: z.string().min(1) });

/** How the API refuses, and the protocol's codes by which Deno's HTTP refuses before it. */
const refusals = [400, 401, 403, 404, 405, 413];

/**
 * Checks the answer to a call.
 *
 * @throws when it is neither a result nor a refusal, or a result without a right signature.
 */
export function checkAnswer(call: ApiCall, answer: HttpAnswer | undefined): void {
  if (!answer || isOfHttp(answer)) return;
  const { status, body } = answer;
  assert.ok(status === 200 || refusals.includes(status), `The status is ${status}: ${body}`);
  if (call.method !== "HEAD") {
    const value = JSON.parse(body);
    if (status !== 200) refusal.parse(value);
  }
  if (status !== 200) return;
  assert.equal(call.signs, "right", "A call without a right signature was carried out");
  // A body of GET is not read.
  if (call.method === "POST" && call.body !== undefined && call.body.length > 0) {
    assert.equal(call.digest, "right", "A call was carried out with another body than was signed");
  }
}

/** Whether it is a refusal of what is no HTTP, or no call of the API. */
function isOfHttp({ status, headers }: HttpAnswer): boolean {
  return [400, 414, 431].includes(status) && !headers.get("content-type")?.includes("json");
}

/** The frames that a client sent and received. */
interface Transcript {
  readonly received: readonly string[];
  readonly sent: readonly string[];
  readonly socketId: string | undefined;
  readonly closeCode?: number;
}

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("not JSON");
    return z.NEVER;
  }
});
const inText = <S extends z.ZodType>(schema: S) => json.pipe(schema);
const channel = z.string().min(1);
const presence = z.strictObject({
  ids: z.array(z.string()),
  hash: z.unknown(),
  count: z.int().min(1),
}).refine(({ ids, hash, count }) =>
  count === ids.length && count === Object.keys(hash as object).length
);
const knownCodes: number[] = [...Object.values(closeCodes), ...Object.values(errorCodes)];

/** The form of every event of the protocol that a server sends. */
const forms: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>(Object.entries({
  "pusher:connection_established": z.strictObject({
    data: inText(z.strictObject({
      socket_id: z.string().regex(/^\d+\.\d+$/),
      activity_timeout: z.int().min(1),
    })),
  }),
  "pusher:pong": z.strictObject({ data: z.literal("{}") }),
  "pusher:error": z.strictObject({
    data: z.strictObject({
      message: z.string().min(1),
      code: z.int().refine((code) => knownCodes.includes(code)).nullable(),
    }),
  }),
  "pusher:subscription_error": z.strictObject({
    channel,
    data: z.strictObject({ type: z.string(), error: z.string().min(1), status: z.int() }),
  }),
  "pusher:cache_miss": z.strictObject({ channel }),
  "pusher:signin_success": z.strictObject({
    data: inText(z.strictObject({ user_data: z.string() })),
  }),
  "pusher_internal:subscription_succeeded": z.strictObject({
    channel,
    data: inText(z.strictObject({ presence: presence.optional() })),
  }),
  "pusher_internal:member_added": z.strictObject({
    channel,
    data: inText(z.strictObject({ user_id: z.string().min(1), user_info: z.json() })),
  }),
  "pusher_internal:member_removed": z.strictObject({
    channel,
    data: inText(z.strictObject({ user_id: z.string().min(1) })),
  }),
  "rollcall:member_updated": z.strictObject({
    channel,
    data: inText(z.strictObject({ user_id: z.string().min(1), user_info: z.json() })),
  }),
  "pusher_internal:subscription_count": z.strictObject({
    channel,
    data: inText(z.strictObject({ subscription_count: z.int().min(1) })),
  }),
  "pusher_internal:watchlist_events": z.strictObject({
    data: inText(z.strictObject({
      events: z.array(z.strictObject({
        name: z.enum(["online", "offline"]),
        user_ids: z.array(z.string()).min(1),
      })),
    })),
  }),
}));

/** Events of others: of clients, with any data, and published ones. */
const relayed = z.strictObject({
  channel,
  data: z.unknown().optional(),
  user_id: z.string().optional(),
});

interface Frame {
  event: string;
  channel?: string;
  data?: unknown;
}

/**
 * Checks all that a client received: frames of the protocol in their form, nothing of a channel that
 * it was not let into, and neither a channel nor a sign-in without a right signature.
 *
 * @throws when something is wrong with an answer.
 */
export function checkAnswers(app: AppConfig, transcript: Transcript): void {
  const joined = new Set<string>();
  for (const text of transcript.received) {
    const { event, ...rest }: Frame = JSON.parse(text);
    const form = forms.get(event) ?? (/^pusher/.test(event) ? z.never() : relayed);
    const { success, error } = form.safeParse(rest);
    assert.ok(success, `${text} has not the form of its event: ${error?.message}`);
    const { channel, data } = rest;
    if (event === "pusher:signin_success") {
      const { user_data: userData } = JSON.parse(String(data));
      assert.ok(
        maySignIn(app, transcript, userData),
        `Signed in as ${userData} without a valid signature`,
      );
    } else if (event === "pusher_internal:subscription_succeeded" && channel !== undefined) {
      assert.ok(mayJoin(app, transcript, channel), `Joined ${channel} without a valid signature`);
      joined.add(channel);
    } else if (channel !== undefined && event !== "pusher:subscription_error") {
      assert.ok(joined.has(channel), `${text} is of a channel that was not joined`);
    }
  }
  checkCloseCode(transcript.closeCode);
}

function checkCloseCode(code: number | undefined): void {
  const codes = [undefined, ...knownCodes, 1000, 1002, 1005, 1007, 1009];
  assert.ok(codes.includes(code), `${code} is no close code`);
}

/** Whether the client subscribed to the channel with a valid signature. */
function mayJoin(app: AppConfig, transcript: Transcript, channel: string): boolean {
  if (channel.startsWith("#server-to-user-")) {
    return signedInAs(transcript) === channel.slice("#server-to-user-".length);
  }
  const { sent, socketId } = transcript;
  return requests(sent, "pusher:subscribe").some((data) => {
    if (data.channel !== channel) return false;
    if (!/^(private|presence)-/.test(channel)) return true;
    const parts = [socketId, channel, data.channel_data].filter((part) => part != null);
    if (!parts.every((part) => typeof part === "string")) return false;
    return data.auth === authOf(app, parts.join(":"));
  });
}

/** Whether the client signed in with a valid signature. */
function maySignIn(app: AppConfig, { sent, socketId }: Transcript, userData: string): boolean {
  return requests(sent, "pusher:signin").some(({ auth, user_data: signed }) =>
    typeof signed === "string" && auth === authOf(app, `${socketId}::user::${signed}`) &&
    isAnsweredBy(signed, userData)
  );
}

/** An integer as id is answered as its text, and everything else as it was signed. */
function isAnsweredBy(signed: string, answered: string): boolean {
  if (signed === answered) return true;
  const withText = (_: string, value: unknown) => typeof value === "number" ? String(value) : value;
  try {
    return isDeepStrictEqual(
      JSON.parse(signed, withText),
      JSON.parse(answered, withText),
    );
  } catch {
    return false;
  }
}

function authOf({ key, secret }: AppConfig, text: string): string {
  return `${key}:${createHmac("sha256", secret).update(text).digest("hex")}`;
}

/** The data of every event of a name that a client sent. */
function requests(sent: readonly string[], name: string): Record<string, unknown>[] {
  return sent.flatMap((text) => {
    try {
      const { event, data } = JSON.parse(text);
      return event === name && data ? [data] : [];
    } catch {
      return [];
    }
  });
}

function signedInAs({ received }: Transcript): string | undefined {
  const success = received.map((text) => JSON.parse(text))
    .find(({ event }) => event === "pusher:signin_success");
  return success && JSON.parse(JSON.parse(success.data).user_data).id;
}

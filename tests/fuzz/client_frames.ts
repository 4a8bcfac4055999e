import fc from "fast-check";
import type { AppCredentials } from "@/realtime/app_config.ts";
import { signChannel, signUser } from "@/realtime/protocol/signature.ts";
import {
  type Double,
  double,
  type Edit,
  edit,
  edited,
  few,
  mutated,
  type Mutation,
  mutation,
  oddJson,
  oddText,
  oddValue,
  withDouble,
} from "./mutations.ts";

/** What a client wants, before it knows its socket id. */
type Intent =
  | { does: "subscribe"; channel: string; data?: string; signs: boolean }
  | { does: "unsubscribe"; channel: string }
  | { does: "sign in"; data: string; signs: boolean }
  | { does: "send"; event: string; channel: string; data: unknown }
  | { does: "ping" };

/** A frame that a client sends: a right one, a right one made a little wrong, or any. */
export type ClientFrame =
  | { text: string }
  | { binary: Uint8Array }
  | { intent: Intent; mutations: Mutation[]; doubles: Double[]; edits: Edit[] };

const longestName = `presence-${"x".repeat(155)}`;

/** Names of channels of every kind: few, so that clients meet. */
export const channelName: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      "news",
      "private-a",
      "presence-a",
      "presence-cache-a",
      "private-encrypted-cache-a",
      "cache-a",
      "#server-to-user-ann",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "private-encrypted-a",
      "private-cache-a",
      "#server-to-user-__proto__",
      "__proto__",
      "presence-__proto__",
      longestName,
      `${longestName}x`,
    ),
  },
  { weight: 1, arbitrary: oddText },
);

const userId = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<unknown>("ann", "ben", "cat", "__proto__", 10, "10") },
  { weight: 1, arbitrary: oddText },
  { weight: 1, arbitrary: oddValue },
);

const channelData = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ user_id: userId, user_info: oddValue }, { requiredKeys: ["user_id"] })
      .map((data) => JSON.stringify(data)),
  },
  oddJson,
);

const userData = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      id: userId,
      user_info: oddValue,
      watchlist: fc.oneof(
        { weight: 8, arbitrary: fc.array(userId, { maxLength: 5 }) },
        { weight: 1, arbitrary: fc.constant(manyUsers()) },
        { weight: 1, arbitrary: oddValue },
      ),
    }, { requiredKeys: ["id"] }).map((data) => JSON.stringify(data)),
  },
  oddJson,
);

function manyUsers(): string[] {
  return Array.from({ length: 101 }, (_, index) => `user-${index}`);
}

const mostly = fc.nat(9).map((number) => number < 9);

/** The frame of a right subscription. */
export function rightFrame(place: { channel: string; data?: string }): ClientFrame {
  const intent: Intent = { does: "subscribe", ...place, signs: true };
  return { intent, mutations: [], doubles: [], edits: [] };
}

/** Presence channels want to know who joins; the others mostly nothing. */
const subscribe = fc.record({
  channel: channelName,
  isUsual: mostly,
  data: channelData,
  signs: mostly,
})
  .map(({ channel, isUsual, data, signs }): Intent => {
    const hasData = channel.startsWith("presence-") === isUsual;
    return { does: "subscribe", channel, data: hasData ? data : undefined, signs };
  });

const intent: fc.Arbitrary<Intent> = fc.oneof(
  { weight: 8, arbitrary: subscribe },
  {
    weight: 2,
    arbitrary: channelName.map((channel): Intent => ({ does: "unsubscribe", channel })),
  },
  {
    weight: 2,
    arbitrary: fc.record({ data: userData, signs: mostly })
      .map((how): Intent => ({ does: "sign in", ...how })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      event: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom("client-typing", "client-") },
        { weight: 1, arbitrary: oddText },
      ),
      channel: fc.oneof(fc.constantFrom("private-a", "presence-a"), channelName),
      data: oddValue,
    }).map((what): Intent => ({ does: "send", ...what })),
  },
  { weight: 1, arbitrary: fc.constant<Intent>({ does: "ping" }) },
);

/** Frames of every kind, most of them nearly right. */
export const clientFrame: fc.Arbitrary<ClientFrame> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      intent,
      mutations: few(mutation),
      doubles: few(double),
      edits: few(edit),
    }),
  },
  { weight: 2, arbitrary: fc.record({ text: oddJson }) },
  { weight: 1, arbitrary: fc.record({ binary: fc.uint8Array({ maxLength: 200 }) }) },
);

/** What is sent for a frame by a client of an app that has this socket id. */
export function written(
  frame: ClientFrame,
  app: AppCredentials,
  socketId: string,
): string | Uint8Array {
  if ("text" in frame) return frame.text;
  if ("binary" in frame) return frame.binary;
  const message = frame.mutations.reduce(mutated, messageOf(frame.intent, app, socketId));
  const text = frame.doubles.reduce(withDouble, JSON.stringify(message));
  return frame.edits.reduce(edited, text);
}

function messageOf(intent: Intent, app: AppCredentials, socketId: string): unknown {
  if (intent.does === "ping") return { event: "pusher:ping", data: {} };
  if (intent.does === "send") {
    const { event, channel, data } = intent;
    return { event, channel, data };
  }
  if (intent.does === "unsubscribe") {
    return { event: "pusher:unsubscribe", data: { channel: intent.channel } };
  }
  const signer = intent.signs ? app : { ...app, secret: "of-another-app" };
  if (intent.does === "sign in") {
    const auth = signUser(signer, socketId, intent.data);
    return { event: "pusher:signin", data: { auth, user_data: intent.data } };
  }
  const { channel, data } = intent;
  const auth = signChannel(signer, socketId, channel, data);
  return { event: "pusher:subscribe", data: { channel, auth, channel_data: data } };
}

import fc from "fast-check";
import { apps } from "./apps.ts";
import { type ApiCall, change, sendCall, trigger } from "./api_calls.ts";
import { checkAnswer, checkAnswers } from "./answers.ts";
import {
  channelName,
  type ClientFrame,
  clientFrame,
  rightFrame,
  written,
} from "./client_frames.ts";
import { WebSocketPeer } from "./websocket_peer.ts";

/** An action at a server; `peer` chooses among its clients. */
type Step =
  | { connectTo: number }
  | { peer: number; sends: ClientFrame }
  | { peer: number; ends: "closes" | "is cut off" | "says no more" }
  | { calls: ApiCall };

const appIndex = fc.nat(apps.length - 1);

/** Mostly a channel in which clients meet, and a user who may be there. */
const presenceName = fc.oneof({ weight: 4, arbitrary: fc.constant("presence-a") }, channelName);
const userId = fc.constantFrom("user-0", "user-1", "ann", "ben", "__proto__", "10");

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ connectTo: appIndex }) },
  { weight: 16, arbitrary: fc.record({ peer: fc.nat(9), sends: clientFrame }) },
  {
    weight: 1,
    arbitrary: fc.record({
      peer: fc.nat(9),
      ends: fc.constantFrom("closes" as const, "is cut off" as const, "says no more" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ calls: trigger(channelName) }) },
  { weight: 1, arbitrary: fc.record({ calls: change(presenceName, userId) }) },
);

/** What some clients do, in turns. */
export interface Sequence {
  /** The apps that clients connect to at first. */
  first: number[];
  /** Whether these meet in some channels before anything else. */
  meet: boolean;
  steps: Step[];
}

/** Clients of several apps that come, send, and go at any point. */
export const sequence: fc.Arbitrary<Sequence> = fc.record({
  first: fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 2, maxLength: 3 }),
  meet: fc.boolean(),
  steps: fc.array(step, { maxLength: 40, size: "max" }),
});

/** Runs the sequence, checks the answers of every client that is left, and disconnects them. */
export async function play(port: number, { first, meet, steps }: Sequence): Promise<void> {
  await using peers = new AsyncDisposableStack();
  const present: WebSocketPeer[] = [];
  const connect = async (index: number) => {
    present.push(peers.use(await WebSocketPeer.connect(port, apps[index].key)));
  };
  for (const index of first) await connect(index);
  for (const step of [...(meet ? first.flatMap(joins) : []), ...steps]) {
    if ("connectTo" in step) await connect(step.connectTo);
    else if ("calls" in step) checkAnswer(step.calls, await sendCall(port, step.calls));
    else await act(present[step.peer % present.length], step);
  }
  for (const peer of present) {
    if (peer.canSend) await peer.settled();
    checkAnswers(appOf(peer), peer);
  }
}

/** How the client of an index joins a channel with others, as another user than they. */
function joins(_app: number, peer: number): Step[] {
  const data = JSON.stringify({ user_id: `user-${peer}` });
  const places = [{ channel: "private-a" }, { channel: "presence-a", data }];
  return places.map((place) => ({ peer, sends: rightFrame(place) }));
}

async function act(peer: WebSocketPeer, step: Extract<Step, { peer: number }>): Promise<void> {
  if ("sends" in step) {
    const frame = written(step.sends, appOf(peer), peer.socketId ?? "1.1");
    if (typeof frame === "string") await peer.send(frame);
    else await peer.sendBinary(frame);
  } else if (step.ends === "closes") await peer.close();
  else if (step.ends === "is cut off") await peer[Symbol.asyncDispose]();
  else await peer.finish();
}

function appOf(peer: WebSocketPeer) {
  return apps.find(({ key }) => key === peer.key)!;
}

import { signChannel } from "@/realtime/protocol/signature.ts";
import { app, eventData, privateChannel } from "../bench_app.ts";
import { frameOf, type LoadClient } from "../load_client.ts";
import { percentile } from "../statistics.ts";
import type { Crowd } from "./crowd.ts";
import { FrameCounter } from "./frame_counter.ts";

const clientEvent = frameOf(
  JSON.stringify({ event: "client-update", channel: privateChannel, data: eventData }),
);

/** A client that sends events, and one that receives them. */
export class EventPath {
  readonly #sender: LoadClient;
  readonly #received: FrameCounter;

  private constructor(sender: LoadClient, received: FrameCounter) {
    this.#sender = sender;
    this.#received = received;
  }

  /** @param ports of the sender's server and the receiver's */
  static async between([from, to]: [number, number], crowd: Crowd): Promise<EventPath> {
    const received = new FrameCounter("client-update");
    const sender = await crowd.add(from);
    for (const client of [sender, await crowd.add(to, received)]) {
      const auth = signChannel(app, client.socketId, privateChannel);
      await client.subscribe({ channel: privateChannel, auth });
    }
    return new EventPath(sender, received);
  }

  /** Milliseconds from the sending of an event to its receipt, one event after another. */
  async latencies(count: number): Promise<{ p50: number; p99: number }> {
    const latencies: number[] = [];
    for (; count > 0; count--) {
      const start = performance.now();
      await this.#received.more(1, () => this.#sender.send(clientEvent));
      latencies.push(this.#received.lastAt - start);
    }
    return { p50: percentile(latencies, 50), p99: percentile(latencies, 99) };
  }
}

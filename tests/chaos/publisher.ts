import { publish } from "./api.ts";
import { type Crowd, eventChannels } from "./crowd/crowd.ts";
import type { Installation } from "./installation/installation.ts";
import type { Random } from "@/server/demo/random.ts";

/** Publishes events through all servers, and lets clients send some. */
export class Publisher {
  /** Events of which a server said that they are published. */
  published = 0;
  /** Events that no server took. */
  refused = 0;
  /** Events that clients sent. */
  sent = 0;
  #number = 0;
  #timer?: ReturnType<typeof setInterval>;

  constructor(
    readonly installation: Installation,
    readonly crowd: Crowd,
    readonly random: Random,
  ) {}

  begin(): void {
    this.#timer = setInterval(() => this.#act(), 400);
  }

  pause(): void {
    clearInterval(this.#timer);
  }

  #act(): void {
    const { crowd, installation: { serving }, random } = this;
    const id = `event-${++this.#number}`;
    const [news, talk] = eventChannels;
    if (random.happens(0.3)) {
      const { connected } = crowd;
      if (connected.length === 0) return;
      this.sent++;
      return random.pick(connected).trigger(talk, "client-told", { id });
    }
    if (serving.length === 0) return;
    publish(random.pick(serving), random.pick([news, talk]), id)
      .then(() => this.published++, () => this.refused++);
  }
}

import type { Frame } from "../protocol/frame.ts";
import { memberCount } from "../protocol/outgoing.ts";
import type { Clock } from "../timing/clock.ts";
import { Audience, type Subscriber } from "./audience.ts";
import type { MemberList } from "./member_list.ts";
import { ownList } from "./member_list_text.ts";

/** The subscribers of a presence channel that are sent the number of members. */
export class QuietAudience<S extends Subscriber = Subscriber> extends Audience<S> {
  /** Those that have not been sent the number. */
  readonly #newcomers = new Set<S>();
  readonly #members: MemberList;
  readonly #clock: Pick<Clock, "date">;
  #last: { size: number; at: number; frame: Frame } | undefined;

  constructor(members: MemberList, clock: Pick<Clock, "date">) {
    super();
    this.#members = members;
    this.#clock = clock;
  }

  /**
   * Adds a subscriber, and sends it a list of itself; {@link sendCountToNewcomers} has to follow.
   *
   * @param userId whom it joined as; an observer is in no list.
   */
  admit(subscriber: S, userId: string | undefined): void {
    this.add(subscriber);
    const { channel } = this.#members;
    const member = () => userId === undefined ? undefined : this.#members.get(userId);
    this.sendLate(subscriber, () => ownList(channel, member()));
    this.#newcomers.add(subscriber);
  }

  override delete(subscriber: S): boolean {
    this.#newcomers.delete(subscriber);
    return super.delete(subscriber);
  }

  /** Sends all the number of members. */
  sendCount(): void {
    this.#newcomers.clear();
    if (this.size > 0) this.send(this.#count());
  }

  /** Sends the number of members to those that have not been sent it. */
  sendCountToNewcomers(): void {
    // What waits before it may be followed by a later number: this one has to be as new.
    for (const subscriber of this.#newcomers) this.sendLate(subscriber, () => this.#count());
    this.#newcomers.clear();
  }

  /** One frame for all who are sent the same number in the same millisecond. */
  #count(): Frame {
    const { channel, size } = this.#members;
    const at = this.#clock.date();
    if (this.#last?.size !== size || this.#last.at !== at) {
      this.#last = { size, at, frame: memberCount(channel, size, at) };
    }
    return this.#last.frame;
  }
}

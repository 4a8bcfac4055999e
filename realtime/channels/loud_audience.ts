import type { SendOptions } from "../connections/frame_log.ts";
import type { LateList } from "../connections/send_queue.ts";
import type { Frame } from "../protocol/frame.ts";
import { memberAdded, memberRemoved } from "../protocol/outgoing.ts";
import { Audience, type Subscriber } from "./audience.ts";
import type { MemberChange, MemberList } from "./member_list.ts";

/**
 * The subscribers of a presence channel that are sent the member list and every change of it. Members
 * that leave are announced at the end of the turn of the event loop, so that those who leave in the same
 * turn are sent nothing, or before anything else that is sent.
 */
export class LoudAudience<S extends Subscriber = Subscriber> extends Audience<S> {
  /** Users who left and have not been announced. */
  #departed: string[] = [];
  readonly #members: MemberList;
  readonly #list: LateList;

  constructor(members: MemberList) {
    super();
    this.#members = members;
    this.#list = { log: this.log, encode: () => this.#encodeList() };
  }

  /** Adds a subscriber, and sends it the list. */
  admit(subscriber: S): void {
    this.sendDepartures();
    this.add(subscriber);
    subscriber.sendList(this.#list);
  }

  /** A departure is no more in the list, but has to be sent to those who have one already. */
  #encodeList(): Frame {
    this.sendDepartures();
    return this.#members.encode();
  }

  override send(frame: Frame, options?: SendOptions): void {
    this.sendDepartures();
    super.send(frame, options);
  }

  /** Announces a change: at once, or {@link sendDepartures} has to follow. */
  announce(change: MemberChange): void {
    if (this.size === 0) return;
    if ("removed" in change) this.#departed.push(change.removed);
    else this.send(memberAdded(this.#members.channel, change.added), { isMembership: true });
  }

  /** Announces which members left. */
  sendDepartures(): void {
    for (const userId of this.#departed.splice(0)) {
      super.send(memberRemoved(this.#members.channel, userId), { isMembership: true });
    }
  }
}

import type { Core } from "../core.ts";
import type { CountedChannel } from "../live_view/counted_channel.ts";
import type { LiveView } from "../live_view/live_view.ts";
import { BusyError, ConcurrencyLimit } from "../net/window_limits.ts";
import { allows } from "@/shared/api.ts";
import { type Clock, systemClock } from "@/realtime/timing/clock.ts";
import { type Api, ApiError, type ReadChannel, startApi } from "./api_access.ts";
import type { ApiToken, ApiTokens } from "./api_tokens.ts";
import { countsOf, headOf, type OnlineSource } from "./online_answer.ts";
import { dataOf, eventHeaders, eventNames, fieldsOf, frameOf } from "./event_frames.ts";
import { OnlineEvents } from "./online_events.ts";

/** People of one part of a snapshot. */
const mostInPart = 1_000;

/** Events of one piece that is sent. */
const mostAtOnce = 100;

/** How often a comment is sent, in milliseconds: proxies close connections without any after a minute or more. */
const heartbeatMs = 15_000;

/** How many heartbeats a reader may leave unread. */
const mostUnread = 2;

/** How often tokens are looked up again, in milliseconds: they can be revoked on the command line. */
const lookEveryMs = 5_000;

/** Streams on each server. */
export const mostStreams = { max: 100, maxPerClient: 10, retryAfterSeconds: 5 };

/** What streams are made of. */
export interface EventStreamsSource {
  servers: OnlineSource["servers"];
  tokens: { find: ApiTokens["find"]; onRevoked: ApiTokens["onRevoked"] };
  eventsOf: (channel: string) => OnlineEvents;
  clock: Clock;
}

/**
 * The streams of events that programs follow. They are few, and end with the server and with their token. A reader
 * that falls behind the log is sent a snapshot, and one that takes nothing for a while is cut off.
 */
export class EventStreams {
  readonly #options: EventStreamsSource;
  readonly #limit = new ConcurrencyLimit(mostStreams);
  readonly #open = new Set<EventStream>();
  #cancelLook = () => {};
  #isStopped = false;

  constructor(options: EventStreamsSource) {
    this.#options = options;
    options.tokens.onRevoked((id) => this.#endOf(id));
  }

  /** How many are open. */
  get count(): number {
    return this.#open.size;
  }

  /**
   * The answer that streams the events of a channel.
   *
   * @param lastEventId what the program got last, if it comes back.
   * @throws {BusyError} when there are too many. @throws {ApiError} 503 while the server stops.
   */
  answer(channel: ReadChannel, token: ApiToken, lastEventId: string | null): Response {
    if (this.#isStopped) {
      const message = "The server is stopping. Connect again in a moment.";
      throw new ApiError(503, "unavailable", message, { "retry-after": "1" });
    }
    if (!this.#limit.hasRoom(token.id)) throw new BusyError(mostStreams.retryAfterSeconds);
    const stream = new EventStream(
      { ...this.#options, channel, token, events: this.#options.eventsOf(channel.key) },
      lastEventId,
    );
    this.#open.add(stream);
    if (this.#open.size === 1) this.#lookLater();
    void this.#limit.run(token.id, () => stream.ended).then(() => this.#open.delete(stream));
    return new Response(stream.body, { headers: eventHeaders });
  }

  /** Ends the streams whose token no longer works. Never rejects. */
  async look(): Promise<void> {
    const ids = new Set(Array.from(this.#open, ({ token }) => token.id));
    for (const id of ids) {
      // While the database does not answer, no token is known to be revoked.
      const token = await this.#options.tokens.find(id).catch(() => undefined);
      if (token === null) this.#endOf(id);
    }
  }

  #lookLater(): void {
    this.#cancelLook();
    this.#cancelLook = this.#options.clock.after(lookEveryMs, async () => {
      await this.look();
      if (this.#open.size > 0 && !this.#isStopped) this.#lookLater();
    });
  }

  #endOf(tokenId: string): void {
    for (const stream of this.#open) if (stream.token.id === tokenId) stream.end();
  }

  /** Ends all, and opens no more: programs connect to another server, or to the next one. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelLook();
    for (const stream of this.#open) stream.end();
  }
}

interface StreamSource extends EventStreamsSource {
  channel: ReadChannel;
  token: ApiToken;
  events: OnlineEvents;
}

/** One stream: a place in the log of events. It makes a piece of text when its reader asks for one. */
class EventStream {
  readonly token: ApiToken;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>;
  readonly #options: StreamSource;
  readonly #resolveEnded: () => void;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #isEnded = false;
  /** Whether the reader waits for more. */
  #isAsked = false;
  #unread = 0;
  #isHeartbeatDue = false;
  #wake = () => {};
  #epoch = "";
  #place = 0;
  /** The numbers that were sent last. */
  #counts = -1;
  #said = "";
  /** Ids that the snapshot has still to name, and its parts; undefined where none is due. */
  #snapshot: { ids: string[]; part: number; parts: number } | undefined;
  #isNew = true;
  #stopFollowing: () => void;
  #cancelHeartbeat = () => {};

  constructor(options: StreamSource, lastEventId: string | null) {
    this.#options = options;
    this.token = options.token;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#resolveEnded = resolve;
    this.body = new ReadableStream({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#pull(),
      cancel: () => this.#close(),
    }, { highWaterMark: 0 });
    const { events } = options;
    this.#stopFollowing = events.follow(() => this.#changed());
    const place = events.eventOf(lastEventId);
    if (place === undefined) this.#beginSnapshot();
    else [this.#epoch, this.#place] = [events.epoch, place];
    this.#beatLater();
  }

  /** Ends it in order: the reader gets what it has asked for, and may connect again. */
  end(): void {
    if (this.#isEnded) return;
    this.#close();
    this.#controller.close();
  }

  #abort(): void {
    if (this.#isEnded) return;
    this.#close();
    this.#controller.error(new Error("The reader of a stream of events was too slow"));
  }

  #close(): void {
    this.#isEnded = true;
    this.#stopFollowing();
    this.#cancelHeartbeat();
    this.#resolveEnded();
    this.#wake();
  }

  #beginSnapshot(): void {
    const { events, token } = this.#options;
    // What happens from now on follows the snapshot, whether it has it already or not.
    [this.#epoch, this.#place, this.#counts] = [events.epoch, events.last, events.counts];
    const ids = allows(token.scope, "ids") ? events.userIds : [];
    this.#snapshot = { ids, part: 1, parts: Math.max(1, Math.ceil(ids.length / mostInPart)) };
  }

  #changed(): void {
    const { events } = this.#options;
    // One that reads too slowly has no gap, and nothing is kept for it.
    if (events.epoch !== this.#epoch || !events.reaches(this.#place)) this.#beginSnapshot();
    this.#wake();
  }

  #beatLater(): void {
    this.#cancelHeartbeat = this.#options.clock.after(heartbeatMs, () => {
      this.#unread = this.#isAsked ? 0 : this.#unread + 1;
      if (this.#unread > mostUnread) return this.#abort();
      this.#isHeartbeatDue = true;
      this.#wake();
      this.#beatLater();
    });
  }

  async #pull(): Promise<void> {
    this.#isAsked = true;
    const text = await this.#next();
    this.#isAsked = false;
    if (!this.#isEnded) this.#controller.enqueue(new TextEncoder().encode(text));
  }

  /** The next piece, as soon as there is one; empty when it has ended. */
  async #next(): Promise<string> {
    while (!this.#isEnded) {
      const text = this.#snapshot ? await this.#snapshotPart() : this.#due();
      if (text !== "") return text;
      // What came during a part of a snapshot is looked at before.
      if (!this.#snapshot) await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return "";
  }

  #due(): string {
    const { events } = this.#options;
    const { scope } = this.token;
    const some = events.after(this.#place, mostAtOnce);
    let text = this.#isNew ? retryLine : "";
    this.#isNew = false;
    for (const event of some) {
      this.#place++;
      const data = dataOf(event, this.#options.channel.appId, scope);
      if (data) text += frameOf(eventNames[event.type], data, events.idOf(this.#place));
    }
    if (text === "" && events.counts !== this.#counts) {
      this.#counts = events.counts;
      text = this.#countFrame();
    }
    if (text === "" && this.#isHeartbeatDue) text = ":\n\n";
    if (text !== "") this.#isHeartbeatDue = false;
    // Of events that the token may not read, none was sent: others may wait behind them.
    return text === "" && some.length === mostAtOnce ? this.#due() : text;
  }

  /** The numbers, unless they are those that were sent last. */
  #countFrame(): string {
    const { events } = this.#options;
    const { as_of, ...numbers } = this.#head();
    const said = JSON.stringify(numbers);
    if (said === this.#said) return "";
    this.#said = said;
    return frameOf("count", { as_of, ...numbers }, events.idOf(this.#place));
  }

  async #snapshotPart(): Promise<string> {
    const snapshot = this.#snapshot!;
    const { events, channel } = this.#options;
    const { scope } = this.token;
    const people = await events.people(snapshot.ids.slice(0, mostInPart));
    // Meanwhile another log may have begun, of which nothing was sent.
    if (this.#snapshot !== snapshot || events.epoch !== this.#epoch) return "";
    const { part, parts } = snapshot;
    this.#snapshot = part === parts
      ? undefined
      : { ids: snapshot.ids.slice(mostInPart), part: part + 1, parts };
    const data = {
      ...this.#head(),
      resumed: false,
      part,
      parts,
      ...allows(scope, "ids") &&
        { people: people.map((person) => fieldsOf(person, channel.appId, scope)) },
    };
    // A program that is cut off within it begins again.
    const id = part === parts ? events.idOf(this.#place) : undefined;
    const text = (this.#isNew ? retryLine : "") + frameOf("snapshot", data, id);
    this.#isNew = false;
    return text;
  }

  #head() {
    const { channel, servers } = this.#options;
    return { ...headOf(channel, servers), ...countsOf(channel) };
  }
}

/** How long a program waits before it connects again, in milliseconds. */
const retryLine = "retry: 2000\n\n";

/** The API for other programs, with its streams: a part of the services. */
export interface ApiWithEvents extends Api {
  /** Tell other programs who joins and leaves. */
  readonly eventStreams: EventStreams;
  /** Keeps no earlier event of any channel; see {@link OnlineEvents.forget}. */
  forgetEvents(): void;
}

/** Opens the API. */
export function startApiWithEvents(
  core: Core,
  counted: readonly CountedChannel[],
  liveView: LiveView,
): ApiWithEvents {
  const api = startApi(core);
  const { servers } = core;
  const all = new Map(counted.map((channel) => [
    channel.key,
    eventsOf(core, channel, liveView.onIdentity),
  ]));
  const eventStreams = new EventStreams({
    servers,
    tokens: api.apiTokens,
    eventsOf: (key) => all.get(key)!,
    clock: systemClock,
  });
  const forgetEvents = () => all.forEach((events) => events.forget());
  return { ...api, eventStreams, forgetEvents };
}

function eventsOf(
  { accounts, servers }: Core,
  { isOwn, key, presence, recovery }: CountedChannel,
  onIdentity: LiveView["onIdentity"],
): OnlineEvents {
  return new OnlineEvents({
    key,
    presence,
    // The ids of another app's users are not ids of accounts.
    accountsOf: (ids) => isOwn ? accounts.findAll(ids) : Promise.resolve([]),
    onFreshness(changed) {
      const stops = [servers.onChange(changed), recovery.whenOver(changed)];
      return () => stops.forEach((stop) => stop());
    },
    onIdentity,
    clock: systemClock,
  });
}

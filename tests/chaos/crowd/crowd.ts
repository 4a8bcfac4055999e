import type { Ending } from "../bounds.ts";
import { serverNumberOf } from "@/realtime/protocol/socket_id.ts";
import { countedRoom, type Installation } from "../installation/installation.ts";
import { Link } from "../installation/link.ts";
import type { Server } from "../installation/server.ts";
import type { Random } from "@/server/demo/random.ts";
import { ClientProcess } from "./client_process.ts";
import { type Doors, Tab } from "./tab.ts";
import type { Witness } from "./witness.ts";

/** The rooms that users join. */
export const rooms = [countedRoom, "presence-room-2", "presence-room-3", "presence-room-4"];

/** The channels of events, without members. */
export const eventChannels = ["news", "private-talk"] as const;

/** The users with their tabs, who come, go and move as long as they are not paused. */
export class Crowd implements AsyncDisposable {
  readonly tabs: readonly Tab[];
  /** The clients of some tabs; the others' are in this process. */
  readonly processes: readonly ClientProcess[];
  /** How often each thing was done. */
  readonly counts: Record<string, number> = { joins: 0, leaves: 0, reloads: 0, moves: 0 };
  readonly #random: Random;
  readonly #installation: Installation;
  readonly #shared: Link;
  #timer?: ReturnType<typeof setInterval>;

  private constructor(
    tabs: Tab[],
    processes: ClientProcess[],
    random: Random,
    installation: Installation,
    shared: Link,
  ) {
    this.tabs = tabs;
    this.processes = processes;
    this.#random = random;
    this.#installation = installation;
    this.#shared = shared;
  }

  /** @param count how many tabs there are, of which some are connected at a time */
  static async gather(
    count: number,
    random: Random,
    installation: Installation,
    witness: Witness,
  ): Promise<Crowd> {
    const serving = () =>
      installation.serving.length > 0 ? random.pick(installation.serving) : undefined;
    const shared = await Link.to(() => serving()?.links.clients.port);
    const doors: Doors = {
      server: serving,
      sharedPort: shared.port,
      serverOf: (socketId) =>
        installation.servers.find(({ number }) => number === String(serverNumberOf(socketId))),
    };
    const processes = ["1", "2"].map((name) => new ClientProcess(`client process ${name}`));
    await Promise.all(processes.map((process) => process.start()));
    const users = Math.ceil(count * 0.6);
    const tabs = Array.from({ length: count }, (_, number) => {
      const index = number < users ? number : random.whole(0, users - 1);
      const own = [rooms[index % rooms.length]];
      if (index % 5 === 0) own.push(rooms[(index + 1) % rooms.length]);
      const user = `user-${index}`;
      const isPusherJs = number % 2 === 0;
      const process = processes[number % 5];
      return new Tab(
        { number, user, rooms: own, channels: eventChannels, isPusherJs, process },
        doors,
        witness,
      );
    });
    return new Crowd(tabs, processes, random, installation, shared);
  }

  get connected(): Tab[] {
    return this.tabs.filter(({ isIn }) => isIn);
  }

  /** Connects most of the tabs. */
  begin(): void {
    for (const tab of this.tabs) if (this.#random.happens(0.75)) tab.open();
  }

  /** Lets users come and go. @param perSecond how many do something in a second */
  resume(perSecond: number): void {
    this.#timer = setInterval(() => this.#act(this.#random.pick(this.tabs)), 1_000 / perSecond);
  }

  /** No one comes and goes any more. */
  pause(): void {
    clearInterval(this.#timer);
  }

  /** The process of a server ended; some clients may not know yet. */
  serverEnded(server: Server, ending: Ending): void {
    for (const tab of this.tabs) if (tab.server === server) tab.lost(ending);
  }

  /** The tabs whose clients are in a process. */
  tabsIn({ name }: ClientProcess): Tab[] {
    return this.tabs.filter(({ process }) => process === name);
  }

  #act(tab: Tab): void {
    if (!tab.isRunning) return;
    const { counts } = this;
    if (!tab.isWanted) {
      counts.joins++;
      return tab.open();
    }
    if (!tab.isIn) return;
    const chance = this.#random.next();
    if (chance < 0.4) {
      counts.leaves++;
      if (chance < 0.05 && !tab.isPusherJs) tab.unsubscribe();
      tab.close();
    } else if (chance < 0.6) {
      counts.reloads++;
      tab.move(tab.server);
    } else {
      counts.moves++;
      tab.move(this.#installation.serving.find((server) => server !== tab.server));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.pause();
    for (const tab of this.tabs) tab.close();
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.#shared[Symbol.asyncDispose]();
  }
}

import assert from "node:assert/strict";
import { type Departure, departures } from "@/realtime/events/server_events.ts";
import { BusServer, MemoryTopics, room } from "../cluster/bus/bus_server.ts";
import { asConnection, type FakeConnection } from "../doubles.ts";
import { ManualClock } from "../manual_clock.ts";

/** The users of the tests. */
export const names = ["ann", "bob"] as const;

/** A tab of a user, connected to a server. */
export interface Tab {
  server: BusServer;
  user: string;
  socket: FakeConnection;
  state?: "active" | "idle";
}

/** Three servers, of which the first asks the others who is active. */
export class ActivityServers {
  readonly clock = new ManualClock();
  readonly all: BusServer[] = [];
  readonly lost: BusServer[] = [];
  tabs: Tab[] = [];
  /** How often a state of the user was told at the server. */
  readonly told: string[] = [];

  static async start(presenceGraceMs = 0): Promise<ActivityServers> {
    const servers = new ActivityServers();
    const { all, clock } = servers;
    const topics = new MemoryTopics();
    for (const number of [1, 2, 3]) {
      const server = new BusServer(topics.connect(), { number, clock, all, presenceGraceMs });
      await server.bus.start();
      server.app.listeners.activity.add(room, (id) => servers.told.push(`${number} ${id}`));
    }
    return servers;
  }

  open(server: BusServer, user: string): Tab {
    const tab = { server, user, socket: server.join(user) };
    this.tabs.push(tab);
    return tab;
  }

  report(tab: Tab, state: "active" | "idle", seconds = 0): void {
    tab.server.app.activity.report(asConnection(tab.socket), room, { state, seconds });
    tab.state = state;
  }

  close(tab: Tab, departure: Departure = departures.closed): void {
    this.tabs = this.tabs.filter((other) => other !== tab);
    tab.server.app.released(asConnection(tab.socket), departure);
  }

  async lose(server: BusServer): Promise<void> {
    this.all.splice(this.all.indexOf(server), 1);
    this.tabs = this.tabs.filter((tab) => tab.server !== server);
    this.lost.push(server);
    await server.servers.stop();
  }

  async states(): Promise<Record<string, string | undefined>> {
    const { members } = await this.all[0].everywhere.members(room, new Set(names));
    return Object.fromEntries(names.map((name) => [
      name,
      members.find(({ userId }) => userId === name)?.activity?.state,
    ]));
  }

  async stop(): Promise<void> {
    for (const server of this.all) await server.stop();
    for (const server of this.lost) server.app.stop();
    assert.equal(this.clock.timers, 0);
  }
}

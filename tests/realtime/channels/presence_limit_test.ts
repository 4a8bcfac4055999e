import assert from "node:assert/strict";
import { describe, it } from "@std/testing/bdd";
import { exceededPresenceLimit } from "@/realtime/channels/channel_limits.ts";

const settings = { presenceMaxMembers: 5, presenceMaxLoudMembers: 3 };
const maxListLength = 100;

interface Row {
  name: string;
  hasRoom?: boolean;
  hasLoudRoom?: boolean;
  length?: number;
  isQuiet?: boolean;
  observe?: boolean;
  limit: string | undefined;
}

const rows: Row[] = [
  { name: "a member where there is room", limit: undefined },
  { name: "a member of a full channel", hasRoom: false, hasLoudRoom: false, limit: "members" },
  { name: "a quiet member of a full channel", hasRoom: false, isQuiet: true, limit: "members" },
  { name: "a loud member beside as many as may be", hasLoudRoom: false, limit: "loudMembers" },
  { name: "a quiet member beside them", hasLoudRoom: false, isQuiet: true, limit: undefined },
  { name: "a loud member of a list too long to send", length: 101, limit: "memberList" },
  { name: "a loud member of the longest list", length: 100, limit: undefined },
  { name: "a quiet member, who is sent no list", length: 101, isQuiet: true, limit: undefined },
  {
    name: "an observer, who is no member",
    hasRoom: false,
    hasLoudRoom: false,
    observe: true,
    limit: undefined,
  },
  { name: "an observer of a list too long", observe: true, length: 101, limit: "memberList" },
];

describe("A presence channel that is open", () => {
  for (const row of rows) {
    const { name, hasRoom = true, hasLoudRoom = true, length = 0, isQuiet = false } = row;
    it(`${row.limit ? `refuses (${row.limit})` : "admits"} ${name}`, () => {
      const channel = {
        hasRoomFor: (userId: string, max: number) => {
          assert.deepEqual([userId, max], ["ann", 5]);
          return hasRoom;
        },
        hasLoudRoomFor: (userId: string, max: number) => {
          assert.deepEqual([userId, max], ["ann", 3]);
          return hasLoudRoom;
        },
        members: { length },
      };
      const member = { id: "ann", info: "{}", profile: { observe: row.observe } };
      const limit = exceededPresenceLimit(channel, member, isQuiet, settings, maxListLength);
      assert.equal(limit, row.limit);
    });
  }
});

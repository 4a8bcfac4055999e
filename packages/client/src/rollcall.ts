import type * as declared from "../types/index.d.ts";
import type { EchoLike, JoinOptions, PusherLike, Rollcall } from "../types/index.d.ts";
import { keepConnected } from "./keep_connected.ts";
import { Room } from "./room.ts";

/** What joins the channels of a client; a client has one, however often it is asked for. */
const ofClients = new WeakMap<PusherLike, Rollcall>();

/** See the types. */
export const rollcall = ((echoOrPusher: EchoLike | PusherLike): Rollcall => {
  const pusher = pusherOf(echoOrPusher);
  let own = ofClients.get(pusher);
  if (!own) {
    keepConnected(pusher);
    ofClients.set(pusher, own = { join: joinsOf(pusher) as Rollcall["join"] });
  }
  return own;
}) satisfies typeof declared.rollcall;

function pusherOf(echoOrPusher: EchoLike | PusherLike): PusherLike {
  const pusher = "connector" in echoOrPusher ? echoOrPusher.connector.pusher : echoOrPusher;
  if (pusher?.connection) return pusher;
  throw new TypeError("rollcall(…) takes an Echo that uses pusher-js, or a client of pusher-js");
}

function joinsOf(pusher: PusherLike) {
  const rooms = new Map<string, Room>();
  return (channel: string, options: JoinOptions = {}) => {
    const name = channel.replace(/^(presence-)?/, "presence-");
    let room = rooms.get(name);
    // The app may have left the channel behind our back.
    if (!room || room.channel !== pusher.channel(name)) {
      const opened: Room = room = new Room(pusher, name, () => {
        if (rooms.get(name) === opened) rooms.delete(name);
      });
      rooms.set(name, room);
    }
    return room.join(options);
  };
}

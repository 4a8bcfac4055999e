import { mutationsOf } from "../mutation.ts";

const folder = "tests/realtime/connections";
const pacing = [`${folder}/pacer_test.ts`, "tests/realtime/channels/paced_delivery_test.ts"];

/** Admission, limits, sending and closing of one socket. */
export const connections = mutationsOf({
  "realtime/connections/address_quota.ts": `${folder}/address_quota_test.ts`,
  "realtime/connections/connection.ts": [`${folder}/connection_end_test.ts`, ...pacing],
  "realtime/connections/send_queue.ts": [`${folder}/send_queue_test.ts`, ...pacing],
  "realtime/connections/pacer.ts": `${folder}/pacer_test.ts`,
  "realtime/connections/frame_log.ts": "tests/realtime/channels/paced_delivery_test.ts",
  "realtime/connections/drain.ts": [
    `${folder}/close_spread_test.ts`,
    `${folder}/send_away_test.ts`,
  ],
  "realtime/connections/rate_limiter.ts": "tests/realtime/commands/client_events_test.ts",
  "realtime/connections/stalled_peers.ts": `${folder}/stalled_peers_test.ts`,
  "realtime/connections/quiet_close.ts": `${folder}/quiet_close_test.ts`,
  "realtime/connections/closing.ts": "tests/realtime/channels/hub_test.ts",
}, {
  "realtime/connections/pacer.ts": [
    [
      "if (this.#blocked.has(peer)) this.#blocked.set(peer, this.#hurried);",
      "if (this.#blocked.has(peer)) return;",
      "what few are sent comes late to a peer whose socket was full for a moment",
    ],
    [
      "this.credit = this.#turnBytes / 2;",
      "this.credit = this.#turnBytes;",
      "what few are sent keeps others waiting for as long as there is any",
    ],
    [
      "else if (this.#ready.delete(peer)) this.#hurried.add(peer);",
      "",
      "an admin's number is sent after that of 100,000 others",
    ],
  ],
  "realtime/connections/address_quota.ts": [
    [
      "return this.#size >= this.#limits.max;",
      "return this.#size > this.#limits.max;",
      "one connection more than the limit is admitted",
    ],
    [">= maxPerAddress;", "> maxPerAddress;", "an address has one connection more than its limit"],
    ["    this.#size--;\n", "", "closed connections count towards the limit"],
    [
      "|| maxPerAddress === 0) return false;",
      ") return false;",
      "no limit per address refuses all clients",
    ],
    [
      "if (left > 0) this.#ofAddress.set(address, left);\n    else this.#ofAddress.delete(address);",
      "this.#ofAddress.set(address, left);",
      "addresses pile up in memory",
    ],
  ],
  "realtime/connections/connection.ts": [
    [
      'if (this.#state === "open") this.#listener.received(',
      "if (true) this.#listener.received(",
      "frames of a closed connection are carried out",
    ],
    [
      "isSilent ? departures.timedOut : departures.closed",
      "departures.closed",
      "a user whose network failed is recorded as having closed the page",
      ["tests/realtime/events/leave_reason_test.ts"],
    ],
    ["    this.#listener.pacer.delete(this);\n", "", "a closed connection is kept in memory"],
    [
      "if (entry.except !== this.id) this.#hand(entry.frame);",
      "this.#hand(entry.frame);",
      "the sender of a client event gets it back",
    ],
    ["this.#credit -= bytes + frameOverhead;", "", "a slow reader takes the memory of others"],
    ["    this.#sentFrames++;\n", "", "sent frames are not counted"],
    [
      "++this.#errors > this.#listener.maxErrors && this.isOpen",
      "false",
      "a client that only sends faults is never closed",
    ],
    [
      "now - this.#errorsSince >= errorWindowMs",
      "false",
      "ten faults in a day close the connection",
    ],
    [
      "this.#failFlooding(closes.tooManyErrors);",
      "this.fail(closes.tooManyErrors);",
      "a flooding client does not learn why it was closed",
    ],
    [
      'byteLength(reason) <= maxReasonBytes ? reason : ""',
      "reason",
      "a long reason makes the close fail",
    ],
    [
      "if (!this.#release(departure)) return;",
      "this.#release(departure);",
      "a connection is closed twice",
    ],
    [
      "this.#listener.exceeded(limit, this);\n    this.close(closes.sendBufferFull)",
      "this.close(closes.sendBufferFull)",
      "closes of slow readers are not counted",
    ],
  ],
  "realtime/connections/send_queue.ts": [
    [
      "if (except !== id && !(isMembership",
      "if (!(isMembership",
      "the sender of a client event gets it back late",
    ],
    [
      "&& !(isMembership && start < item.listedAt)) return frame;",
      ") return frame;",
      "a member of the list is added a second time",
    ],
    ["    this.#ownBytes += frame.bytes;\n", "", "what waits for one reader is not counted"],
    ["    this.#ownBytes -= frame.bytes;\n", "", "a reader that catches up is closed as too slow"],
    [
      "if (place) place.listedAt = log.bytes;",
      "",
      "members who joined before the list are added again after it",
    ],
  ],
  "realtime/connections/frame_log.ts": [
    [
      "if (--this.#followers === 0) this.#last = undefined;",
      "this.#last = undefined;",
      "a slow reader loses frames when another catches up",
    ],
  ],
  "realtime/connections/drain.ts": [
    [
      "const due = Math.ceil(share * connections.length);",
      "const due = connections.length;",
      "all clients return to the next server at once",
    ],
    ["ms > 0 ? Math.min(1, ", "ms >= 0 ? Math.min(1, ", "a stop without time for a drain waits"],
    [
      "if (!connections.some((connection) => connection.isOpen)) return;",
      "if (closed === connections.length) return;",
      "a stop takes the whole time though all clients have left",
    ],
    [
      "while (!signal?.aborted) {",
      "while (true) {",
      "clients are sent away from a server that is well",
    ],
  ],
  "realtime/connections/rate_limiter.ts": [
    [
      "return ++this.#count <= max;",
      "return ++this.#count <= max + 1;",
      "one event a second more than the limit is relayed",
    ],
    ["if (max === 0) return true;", "", "no limit refuses everything"],
    ["      this.#count = 0;\n", "", "who reaches the limit once is refused for ever"],
  ],
  "realtime/connections/stalled_peers.ts": [
    [
      "if (unsentBytes === 0 || isTakingLists) continue;",
      "if (unsentBytes === 0) continue;",
      "a slow line is closed while it receives a long list",
    ],
    ["now.lastFrameAt === before.lastFrameAt", "true", "a peer that answers is closed as stalled"],
    [
      "if (before && isSame(before, peer)) stalled.push(peer);\n      else suspects",
      "suspects",
      "a peer that vanished is never closed",
    ],
    ["      this.start();\n", "", "stalled peers are looked for once only"],
  ],
  "realtime/connections/quiet_close.ts": [
    [
      "|| ++turns === maxTurns) return close();",
      ") return close();",
      "a client that never stops sending is never closed",
    ],
    ["return () => cancel();", "return () => {};", "a close comes after the socket has gone"],
  ],
});

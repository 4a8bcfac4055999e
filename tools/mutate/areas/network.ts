import { mutationsOf } from "../mutation.ts";

const folder = "tests/network";

/** Whose address a request has, and what one client may take. */
export const network = mutationsOf({
  "network/client_address.ts": `${folder}/client_address_test.ts`,
  "network/ip_address.ts": [
    `${folder}/client_address_test.ts`,
    `${folder}/public_address_test.ts`,
    `${folder}/rate_limit_key_test.ts`,
    "tests/config/config_test.ts",
  ],
  "network/public_address.ts": `${folder}/public_address_test.ts`,
  "network/rate_limit_key.ts": `${folder}/rate_limit_key_test.ts`,
  "network/sending_limit.ts": `${folder}/sending_limit_test.ts`,
  "network/window_limit.ts": `${folder}/window_limit_test.ts`,
  "network/concurrency_limit.ts": [
    `${folder}/concurrency_limit_test.ts`,
    "tests/http/body_reader_test.ts",
    "tests/accounts/password_work_test.ts",
  ],
}, {
  "network/client_address.ts": [
    [
      "if (!isWithin(client, trusted)) break;",
      "",
      "a stranger chooses the address that limits count",
    ],
    [
      "if (next === null) break;",
      "if (next === null) continue;",
      "an unreadable entry is skipped, and a stranger's taken",
    ],
    ["entry.length > maxEntryLength", "false", "entries of any length are parsed"],
    ["count < maxProxies &&", "", "a list of any length is read"],
    ["(?::\\d{1,5})?$/", "$/", "a proxy that adds the port hides all clients"],
    [
      "address !== null && isWithin(address, trusted)",
      "address !== null",
      "headers of any peer are believed",
    ],
  ],
  "network/ip_address.ts": [
    [
      "isIPv4(address) || isIPv6(address) ? ipaddr.process(address) : null",
      "ipaddr.isValid(address) ? ipaddr.process(address) : null",
      "an octal number is read as an address",
    ],
    [
      'const [address] = text.split("%");',
      "const address = text;",
      "an address with a zone is not recognized",
    ],
    ["Number(length) - mapped;", "Number(length);", "a mapped network is refused or too large"],
    [
      "start.kind() === address.kind() &&",
      "",
      "an IPv6 client of a server with IPv4 proxies is an internal error",
    ],
    ["bits >= 0 && bits <= all", "bits >= 0", "a network of too many bits is accepted"],
  ],
  "network/public_address.ts": [
    [
      "if (isWithin(address, allowed)) return true;",
      "",
      "an operator cannot allow the own network",
    ],
    ['address.range() !== "unicast" ||', "", "alerts are sent into the server's own network"],
    ["|| isWithin(address, metadata)", "", "alerts are sent to the cloud's metadata server"],
    [
      'return address.kind() === "ipv4" || isWithin(address, globalIpv6);',
      "return true;",
      "alerts are sent to IPv6 addresses that are not public",
    ],
  ],
  "network/rate_limit_key.ts": [
    ["index < 4", "index < 8", "a stranger with one IPv6 network has no limits"],
    [
      "if (parsed === null) return unknownPeer;",
      "if (parsed === null) return address;",
      "addresses that cannot be read have a limit each",
    ],
  ],
  "network/sending_limit.ts": [
    [
      "times.length >= this.mostMessages",
      "times.length > this.mostMessages",
      "an admin sends one message more than the limit",
    ],
    [
      "if (times.at(-1)! <= now - windowMs) this.#sent.delete(other);",
      "",
      "senders pile up in memory",
    ],
    [
      "filter((time) => time > now - windowMs)",
      "filter(() => true)",
      "an admin who sent 30 messages can never send another",
    ],
    [
      "Math.ceil((times[0] + windowMs - now) / 1_000)",
      "Math.floor((times[0] + windowMs - now) / 1_000)",
      "an admin is told to try again too early",
    ],
  ],
  "network/concurrency_limit.ts": [
    [
      "this.#count >= max || ofClient",
      "ofClient",
      "strangers with many addresses have no limit together",
    ],
    ["|| ofClient >= maxPerClient)", ")", "one client takes all room"],
    [
      "    } finally {\n      this.#count--;",
      "    } finally {",
      "room that was taken is never given back",
    ],
    [
      "if (left > 0) this.#ofClient.set(client, left);\n      else this.#ofClient.delete(client);",
      "this.#ofClient.set(client, Math.max(left, 1));",
      "a client that used all its room is refused for ever",
    ],
  ],
  "network/window_limit.ts": [
    ["known.count >= this.limit.most", "false", "tokens are tried without end"],
    [
      "known.since + this.limit.windowMs > this.now()",
      "true",
      "after a minute, tokens are tried without end",
    ],
    [
      "if (this.#clients.size > maxClients) this.#clients.delete(oldest);",
      "",
      "addresses pile up in memory",
    ],
    [
      "    this.#clients.delete(client);\n",
      "",
      "the limit forgets a new attacker before an old one",
    ],
  ],
});

import type { Exchange } from "../exchange.ts";
import type { Hop } from "../hop.ts";
import type { Sighting } from "../question.ts";
import { shown } from "../shown.ts";
import type { Subject } from "../subject.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** The server knows where a request comes from. */
export const clientAddressHop: Hop = {
  name: "client_address",
  title: "Client address",
  needs: ["installation"],
  run({ subject, sighting: seen }) {
    if (!seen) throw new Error("There is no sighting");
    return Promise.resolve(clientAddressVerdict(subject, seen.sighting, seen.exchange.from));
  },
};

/**
 * Judges what the server takes for the address of a client. This one sends no `X-Forwarded-For`, so
 * what the server sees of it is what proxies wrote, the first entry being the client.
 *
 * @param from this end of the connection.
 */
export function clientAddressVerdict(
  { pages, port, hasTls }: Pick<Subject, "pages" | "port" | "hasTls">,
  sighting: Pick<Sighting, "peer" | "client" | "forwardedFor" | "proxyHeaders">,
  from: Exchange["from"],
): Verdict {
  const { peer, client, forwardedFor: [first], proxyHeaders } = sighting;
  if (peer.port === from.port && peer.address === from.address) {
    return ok(`Nothing is in between: the server sees ${shown(client)}.`);
  }
  if (first !== undefined) {
    if (isSameAddress(first, client) && (client !== peer.address || client !== from.address)) {
      return ok(`The proxy is trusted: the server sees ${shown(client)}.`);
    }
    return failed(
      `The server takes a proxy (${shown(client)}) for the client. Limits by address then count ` +
        "everybody as one.",
      `Set TRUSTED_PROXIES to the addresses of your proxies, ${shown(client)} among them.`,
    );
  }
  const isBehindProxy = proxyHeaders.length > 0 || (pages.protocol === "https:" && !hasTls);
  if (!isBehindProxy) {
    return ok(
      `The server sees ${shown(client)}. What is in between changes addresses, but is no proxy ` +
        "that says so.",
    );
  }
  return failed(
    `A proxy is in between, and does not say who asks: the server sees ${shown(client)}.`,
    "Let it write X-Forwarded-For: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; " +
      "(nginx). Apache and Caddy do so by themselves.",
    `Then set TRUSTED_PROXIES to its address (${shown(client)}).`,
  );
}

import type { Exchange } from "../exchange.ts";
import { left, type Step } from "../step.ts";
import type { Sighting } from "../probe.ts";
import { shown } from "../printable.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** The server knows where a request comes from. */
export const clientAddressStep: Step = {
  name: "client_address",
  title: "Client address",
  needs: ["installation"],
  run({ target, seen }) {
    const { sighting, exchange } = left(seen);
    return Promise.resolve(clientAddressVerdict(target, sighting, exchange.from));
  },
};

/** What a server sees of where a request comes from. */
type Origin = Pick<
  Sighting,
  "peer" | "isPeerTrusted" | "client" | "forwardedFor" | "proxyHeaders"
>;

/**
 * Judges what the server takes for the address of a client. This one sends no `X-Forwarded-For`, so
 * whatever the server sees of it is what proxies wrote, the first entry being the client.
 *
 * @param from this end of the connection.
 */
export function clientAddressVerdict(
  { pages, hasTls }: Pick<Target, "pages" | "hasTls">,
  { peer, isPeerTrusted, client, forwardedFor: [first], proxyHeaders }: Origin,
  from: Exchange["from"],
): Verdict {
  const sees = `the server sees ${shown(client)}`;
  if (peer.port === from.port && withoutPort(peer.address) === withoutPort(from.address)) {
    return ok(`No proxy is in between: ${sees}.`);
  }
  if (first !== undefined) {
    if (isPeerTrusted && withoutPort(first) === withoutPort(client)) {
      return ok(`The proxy is trusted: ${sees}.`);
    }
    return failed(
      `A proxy is taken for the client: ${sees}. Limits by address count everybody as one.`,
      `Set \`TRUSTED_PROXIES\` to the addresses of your proxies, ${shown(client)} among them.`,
    );
  }
  if (proxyHeaders.length === 0 && (pages.protocol === "http:" || hasTls)) {
    return ok(`No proxy tells of itself: ${sees}.`);
  }
  return failed(
    `A proxy is in between and does not say who asks: ${sees}, whoever it is.`,
    "Let it write X-Forwarded-For. Apache and Caddy do so by themselves.",
    "nginx: `proxy_set_header X-Forwarded-For $remote_addr;`",
    `Then set \`TRUSTED_PROXIES\` to the address of the proxy, ${shown(client)}.`,
  );
}

/** An address as it is compared: some proxies add the port, and IPv4 may be written as IPv6. */
function withoutPort(text: string): string {
  const [, inBrackets, ofFour] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return (inBrackets ?? ofFour ?? text).toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, "");
}

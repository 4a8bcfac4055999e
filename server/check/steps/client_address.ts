import type { Exchange } from "../http_exchange.ts";
import { printable } from "../printable.ts";
import type { ReceivedRequest } from "../self_request.ts";
import { required, type Step } from "../step.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

/** Passes when the server knows a client's own address. */
export const clientAddressStep: Step = {
  name: "client_address",
  title: "Client address",
  needs: ["installation"],
  run({ target, selfRequest }) {
    const { received, exchange } = required(selfRequest);
    return Promise.resolve(clientAddressVerdict(target, received, exchange.from));
  },
};

/** What the server knows about where a request comes from. */
type Origin = Pick<
  ReceivedRequest,
  "peer" | "isPeerTrusted" | "client" | "forwardedFor" | "proxyHeaders"
>;

/**
 * Judges what the server takes for a client's address. The self-request is sent without
 * `X-Forwarded-For`, so proxies wrote all of its entries; the first one is the client.
 *
 * @param from this end of the connection.
 */
export function clientAddressVerdict(
  { pages, hasTls }: Pick<Target, "pages" | "hasTls">,
  { peer, isPeerTrusted, client, forwardedFor: [first], proxyHeaders }: Origin,
  from: Exchange["from"],
): Verdict {
  const address = printable(client);
  if (peer.port === from.port && withoutPort(peer.address) === withoutPort(from.address)) {
    return ok(`No proxy; client address ${address}.`);
  }
  if (first !== undefined) {
    if (isPeerTrusted && withoutPort(first) === withoutPort(client)) {
      return ok(`Trusted proxy; client address ${address}.`);
    }
    return failed(
      `The server takes the proxy ${address} for the client. Limits per address apply to all users ` +
        "together.",
      `Set \`TRUSTED_PROXIES\` to the addresses of your proxies, including ${address}.`,
    );
  }
  if (proxyHeaders.length === 0 && (pages.protocol === "http:" || hasTls)) {
    return ok(`No proxy found; client address ${address}.`);
  }
  return failed(
    `A proxy hides client addresses: the server sees ${address} for every client.`,
    "Configure the proxy to send X-Forwarded-For. Apache and Caddy do so by default.",
    "nginx: `proxy_set_header X-Forwarded-For $remote_addr;`",
    `Then set \`TRUSTED_PROXIES\` to the proxy's address, ${address}.`,
  );
}

/** An address in the form that is compared: some proxies add the port, or write IPv4 as IPv6. */
function withoutPort(text: string): string {
  const [, inBrackets, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return (inBrackets ?? ipv4 ?? text).toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, "");
}

import { z } from "zod";
import { isSocketId } from "../../realtime/protocol/socket_id.ts";
import type { Step } from "../step.ts";
import { type Closing, ProtocolClient, SocketClosed } from "../protocol_client.ts";
import { codeOf } from "../printable.ts";
import type { Target } from "../target.ts";
import { failed, ok, type Verdict } from "../verdict.ts";

const greetingData = z.object({ socket_id: z.string().refine(isSocketId) });
const errorData = z.object({ code: z.number() });

/** The server takes the client: the first frame comes. */
export const connectionStep: Step = {
  name: "connection",
  title: "Connection",
  needs: ["upgrade"],
  async run(journey) {
    const { target, patienceMs } = journey;
    const client = journey.client = ProtocolClient.open(target);
    try {
      const frame = await client.next(({ event }) => /^pusher:/.test(event), patienceMs);
      if (frame.event !== "pusher:connection_established") {
        return refusedVerdict(target, errorData.safeParse(frame.data).data?.code ?? 0);
      }
      journey.socketId = greetingData.safeParse(frame.data).data?.socket_id;
      return journey.socketId === undefined
        ? failed("The server's greeting has no socket id.", "See what server it is.")
        : ok("The server greets: pusher:connection_established.");
    } catch (error) {
      if (error instanceof SocketClosed) return closedVerdict(target, error.closing);
      return failed(
        `The socket opens, but no frame comes (${codeOf(error)}).`,
        "Let the proxy pass frames on at once, and no firewall scan their contents.",
        "nginx: `proxy_buffering off;`",
        "Apache: no `mod_buffer`.",
      );
    }
  },
};

function closedVerdict(target: Target, { code }: Closing): Verdict {
  if (code >= 4_000) return refusedVerdict(target, code);
  return failed(
    `The socket opens, and is closed before the first frame (code ${code}).`,
    "See in the log of the proxy and of Rollcall why.",
  );
}

/** Judges a refusal, by its code in the protocol. */
export function refusedVerdict(
  { pages, isHosted, app }: Pick<Target, "pages" | "isHosted" | "app">,
  code: number,
): Verdict {
  const refusal = (found: string, change: string) => failed(`${found} (${code}).`, change);
  switch (code) {
    case 4_000:
      return refusal("The server wants TLS", "Set `PUSHER_SCHEME=https`.");
    case 4_001:
      return refusal(
        `The server knows no app with the key ${app.key}`,
        isHosted
          ? "Correct PUSHER_APP_KEY, or the host or cluster."
          : "Run the check with the server's PUSHER_APP_KEY; or restart the server, if the setting is new.",
      );
    case 4_003:
      return refusal("The app is disabled", "Enable it where it is listed.");
    case 4_004:
    case 4_100:
      return refusal(
        "The server has no room for a connection",
        "Raise max_connections, MAX_CONNECTIONS or MAX_CONNECTIONS_PER_ADDRESS; behind a proxy set " +
          "TRUSTED_PROXIES.",
      );
    case 4_005:
      return refusal(
        "The server does not find the path of sockets",
        "Let the proxy pass the paths below `/app/` on as they are.",
      );
    case 4_007:
    case 4_008:
      return refusal(
        "The server does not hear the version of the protocol",
        "Let the proxy pass the query on (`?protocol=7`): look for a rewrite without it.",
      );
    case 4_009:
      return refusal(
        `Pages of ${pages.origin} may not connect`,
        `Add ${pages.origin} to ALLOWED_ORIGINS, or to allowed_origins of the app.`,
      );
    default:
      return refusal("The server refuses the connection", "See in its log why.");
  }
}

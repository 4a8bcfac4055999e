import { isServerMissing, serversText } from "./servers_text.ts";
import { useHealth } from "./use_health.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { Health } from "@/shared/health.ts";

interface Props {
  settings: ClientSettings;
  /** The health in the HTML. */
  first: Health;
}

/** A notice while one of several servers is missing. */
export function ServersNotice({ settings, first }: Props) {
  const { servers } = useHealth(settings, first);
  return (
    <div class="outage" role="status">
      {servers && isServerMissing(servers) && (
        <p class="notice notice-warning">
          <b>{serversText(servers)}</b>{" "}
          answer. Users of a lost server leave within 15 seconds, unless they have connected to
          another one.
        </p>
      )}
    </div>
  );
}

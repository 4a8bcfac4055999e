import "@/components/page/every_page.ts";
import { Ticker } from "@/components/activity/Ticker.tsx";
import { History } from "@/components/history/History.tsx";
import { AlertLine } from "@/components/alert/AlertLine.tsx";
import {
  CountedChannels,
  type CountedChannelsProps,
} from "@/components/live_view/CountedChannels.tsx";
import { DatabaseNotice, ServerHealth, ServersNotice } from "@/components/health/ServerHealth.tsx";
import { hasModifier } from "@/components/page/links.tsx";
import { TopPages } from "@/components/live_view/TopPages.tsx";
import { OnlineTable, OnlineTableUnavailable } from "@/components/online_table/OnlineTable.tsx";
import { useEffect } from "react";
import type { ClientSettings } from "@/shared/client_settings.ts";
import {
  CountingNote,
  OnlineChart,
  type OnlineChartProps,
} from "@/components/presence/OnlineChart.tsx";
import type { AlertView } from "@/shared/alert.ts";
import type { Health } from "@/shared/servers.ts";
import type { HistoryReport } from "@/shared/history.ts";
import type { Activity } from "@/shared/online.ts";
import type { OnlineTablePage } from "@/shared/online_table.ts";
import type { TopPages as CountedPages } from "@/shared/list_page.ts";

/** The live view as it is in the HTML. */
interface Props extends OnlineChartProps {
  /** How people are counted; in the HTML, as no script needs it. */
  note: string;
  /** Where the reader can message everyone; absent where they may not, or it would not reach the channel. */
  messagesPath?: string;
  /** Where the reader can set the alert; absent where they may not. */
  alertPath?: string;
  /** `null` when the server does not know the number. */
  alert: AlertView | null;
  /** `null` when the server does not know who is online. */
  onlineTable: OnlineTablePage | null;
  /** Why there is no table then. */
  unavailable?: string;
  /** `null` when the server does not know who was online. */
  past: Past | null;
  health: Health;
  /** `null` for a channel other than the users online. */
  topPages: CountedPages | null;
  /** Where several channels are counted. */
  counted?: CountedChannelsProps | null;
}

interface Past {
  /** The time of the HTML, in milliseconds since 1970. */
  at: number;
  /** The query of the page's address. */
  search: string;
  /** Where the numbers of each day are. */
  numbersPath: string;
  history: HistoryReport;
  /** Newest first. */
  activity: Activity[];
}

/**
 * The number of users online, who they are, and how it came to be. One island, as its script is a fifth
 * smaller, compressed, than with an island for each part.
 */
export default function LiveView(
  {
    alert,
    counted,
    onlineTable,
    past,
    health,
    topPages,
    messagesPath,
    alertPath,
    note,
    unavailable,
    ...chart
  }: Props,
) {
  const { settings, viewerId } = chart;
  usePeopleBeside(settings);
  return (
    <>
      {counted && <CountedChannels settings={settings} {...counted} />}
      <div class="live">
        <div class="card live-hero">
          <OnlineChart {...chart} />
          {past && <History settings={settings} {...past} />}
        </div>
        <div class="live-column">
          {past && <DatabaseNotice settings={settings} first={health} />}
          {past && <ServersNotice settings={settings} first={health} />}
          {alert && <AlertLine settings={settings} first={alert} alertPath={alertPath} />}
          {onlineTable
            ? <OnlineTable {...{ settings, viewerId, messagesPath }} first={onlineTable} />
            : <OnlineTableUnavailable reason={unavailable} />}
          <CountingNote explanation={note} />
        </div>
        {past && (
          <div class="live-column">
            <Ticker settings={settings} first={past.activity} at={past.at} />
            {topPages && (
              <TopPages
                settings={settings}
                first={topPages}
                isFilter={Boolean(onlineTable?.counts)}
              />
            )}
          </div>
        )}
      </div>
      {past && <ServerHealth settings={settings} first={health} />}
    </>
  );
}

/**
 * Shows people beside the list, where there is room for it: the ones whose rows are clicked, and the one in the
 * address. Elsewhere, the rows lead to a person's page, as the links in them do.
 */
function usePeopleBeside(settings: ClientSettings): void {
  useEffect(() => {
    const open = (id: string | undefined) => {
      if (!id || !matchMedia("(min-width: 64rem)").matches) return false;
      import("@/islands/Person.tsx").then(({ openPerson }) => openPerson(id, settings))
        .catch(console.error);
      return true;
    };
    const onClick = (event: MouseEvent) => {
      const clicked = event.target as Element;
      // A link to the people on a page has no id.
      const row = clicked.closest<HTMLElement>("[data-page],tr[data-id]:has(a[href])");
      if (hasModifier(event)) return;
      if (open(row?.dataset.id)) event.preventDefault();
      else if (!clicked.closest("a")) row?.querySelector("a")?.click();
    };
    open(decodeURIComponent(location.hash.split("#person=")[1] ?? ""));
    addEventListener("click", onClick);
    return () => removeEventListener("click", onClick);
  }, []);
}

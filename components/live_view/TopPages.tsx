import { Card } from "../page/elements.tsx";
import { UsersNumber } from "./CountedChannels.tsx";
import { useNewest } from "./online_feed.ts";
import { deviceCountsText } from "../online_table/page_text.ts";
import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { countText } from "@/shared/text.ts";
import type { TopPages as Counted } from "@/shared/list_page.ts";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The pages in the HTML. */
  first: Counted;
  /** Whether the list can be filtered by a page. */
  isFilter: boolean;
}

/** The pages that most users have open; nothing while no page is known. */
export function TopPages({ settings, first, isFilter }: Props) {
  const { pages, elsewhere, users, devices } = useNewest(settings, "TopPagesChanged", first);
  if (users === 0) return null;
  return (
    <Card
      id="top-pages"
      title={text`Top pages`}
      aside={<span class="soft">{deviceCountsText(devices)}</span>}
    >
      <ol class="list top-pages">
        {pages.map((page) => (
          <li key={page.path} class="row between">
            <Bar share={page.users / users} />
            <a
              class="cut top-pages-path"
              dir="ltr"
              title={page.path}
              {...isFilter && {
                href: href(`/admin/online?page=${encodeURIComponent(page.path)}#online-table`),
                "data-page": page.path,
                "aria-current": "false",
              }}
            >
              {page.path}
            </a>
            <UsersNumber class="top-pages-users" count={page.users} />
          </li>
        ))}
        {elsewhere > 0 && (
          <li class="row between soft">
            <span class="cut top-pages-path">{text`Other pages`}</span>
            <UsersNumber class="top-pages-users" count={elsewhere} />
          </li>
        )}
      </ol>
      <p class="soft">
        {text`Of ${countText(users, "person", "people")} whose page is known.`}
      </p>
    </Card>
  );
}

/** The share of the users, from 0 to 1, behind the line. */
function Bar({ share }: { share: number }) {
  return (
    <svg class="top-pages-bar" aria-hidden="true">
      <rect width={`${Math.round(100 * share)}%`} height="100%" rx="4" />
    </svg>
  );
}

import type { TimeStyle } from "../page/time_text.ts";
import { countText } from "@/shared/number_text.ts";
import type { PersonMoment } from "@/shared/person.ts";
import { Card } from "../page/Card.tsx";
import { PersonTime } from "./PersonTime.tsx";

/** Tabs that are listed. */
const maxTabs = 20;

/** The pages that the person has open, tab by tab; nothing where no tab reports its page. */
export function PersonPages({ moment: { at, presence }, style }: {
  moment: Pick<PersonMoment, "at" | "presence">;
  style: TimeStyle;
}) {
  if (!presence?.pages) return null;
  const { connections, pages } = presence;
  const listed = pages.slice(0, maxTabs);
  const further = connections - listed.length;
  return (
    <Card id="pages" title="Current pages">
      <ul class="person-pages">
        {listed.map(({ path, device, since }, index) => (
          <li key={index}>
            <span class="person-pages-path" dir="ltr">{path}</span>
            <span class="soft">
              {device && `${device}, `}since <PersonTime at={since} now={at} style={style} />
            </span>
          </li>
        ))}
      </ul>
      {further > 0 && <p class="soft">And {countText(further, "further tab")}.</p>}
      <p class="soft">As the person's browser reports it.</p>
    </Card>
  );
}

import { text } from "@/shared/language.ts";
import { numberText } from "@/shared/text.ts";
import { type TimeStyle, timeText } from "../page/time_text.ts";
import type { WallboardHour } from "@/shared/wallboard.ts";

/** The last hour as an area over the whole width; nothing before there are two minutes of it. */
export function LastHour({ hour, change }: {
  hour: WallboardHour;
  /** What became of the number in five minutes; null while that is not known. */
  change: number | null;
}) {
  const known = hour.most.filter((users) => users !== null);
  if (known.length < 2) return null;
  const { line, area } = pathsOf(hour.most);
  const [lowest, highest] = [Math.min(...known), Math.max(...known)].map(numberText);
  return (
    <figure class="wallboard-hour">
      <figcaption>
        {text`Last hour`}
        {change !== null && change !== 0 && (
          <span>
            <b>{`${change > 0 ? "▲" : "▼"} ${numberText(Math.abs(change))}`}</b> {text`in 5 min`}
          </span>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${hour.most.length - 1} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text`Users online in the last hour: lowest ${lowest}, highest ${highest}`}
      >
        <path class="wallboard-area" d={area} />
        <path class="wallboard-line" d={line} vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}

/** The highest numbers of today and ever; once where they are the same. */
export function Highest({ hour: { peak, record }, style }: {
  hour: WallboardHour;
  style: TimeStyle;
}) {
  if (!peak || !record) return null;
  const [users, time] = [numberText(peak.users), timeText(peak.at, "minute", style)];
  if (record.at === peak.at) return <span>{text`New record today: ${users} at ${time}`}</span>;
  const [most, date] = [numberText(record.users), timeText(record.at, "date", style)];
  return (
    <>
      <span>{text`Peak today ${users} at ${time}`}</span>
      <span>{text`Record ${most} on ${date}`}</span>
    </>
  );
}

/** The height of the drawing, and how much of it the highest number fills. */
const [height, filled] = [100, 96];

/** The lowest number that fills it: fewer users are a low line. */
const least = 4;

/** The line of the numbers and the area below it, a minute wide each, with a gap where nothing was measured. */
export function pathsOf(most: readonly (number | null)[]): { line: string; area: string } {
  const top = Math.max(least, ...most.map((users) => users ?? 0));
  const lines: string[][] = [[]];
  for (const [x, users] of most.entries()) {
    if (users === null) lines.push([]);
    else lines.at(-1)!.push(`${x} ${Math.round(height - filled * users / top)}`);
  }
  const drawn = lines.filter(({ length }) => length > 0).map(wideEnough);
  return {
    line: drawn.map((points) => `M${points.join("L")}`).join(""),
    area: drawn.map((points) => {
      const [from, until] = [points[0], points.at(-1)!].map((point) => point.split(" ")[0]);
      return `M${from} ${height}L${points.join("L")}L${until} ${height}Z`;
    }).join(""),
  };
}

/** A minute between two gaps is half as wide as others. */
function wideEnough(points: string[]): string[] {
  if (points.length > 1) return points;
  const [x, y] = points[0].split(" ");
  return [`${Math.max(0, Number(x) - 0.5)} ${y}`, points[0]];
}

import { isSameDay, serverStyle, type TimeForm, type TimeStyle, timeText } from "./time_text.ts";
import type { ComponentChildren } from "preact";
import { text } from "@/shared/language.ts";

/** A time of day, as `12:44:44 PM`. @param at in milliseconds since 1970 */
export function ClockTime({ at, style }: { at: number; style: TimeStyle }) {
  return <time dateTime={new Date(at).toISOString()}>{timeText(at, "clock", style)}</time>;
}

/** A section of a page with a frame and a heading. */
export function Card(
  { id, title, level = 2, aside, children }: {
    /** Unique on the page. */
    id: string;
    title: string;
    /** 1 for the main card of a page. */
    level?: 1 | 2;
    /** The content at the end of the heading's line. */
    aside?: ComponentChildren;
    children: ComponentChildren;
  },
) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section class="card" id={id} aria-labelledby={`${id}-title`}>
      <header class="card-head">
        <Heading id={`${id}-title`}>{title}</Heading>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** The heads of the columns of a table. Not for islands: it would be in the script of every page. */
export function TableHead({ columns, actions }: {
  columns: readonly string[];
  /** What the last column has, such as the actions of each row; only assistive technology names it. */
  actions?: string;
}) {
  return (
    <thead>
      <tr>
        {columns.map((column) => <th key={column} scope="col">{column}</th>)}
        {actions && (
          <th scope="col">
            <span class="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}

/** The hidden field with the CSRF token of a form. */
export function CsrfField({ csrfToken }: { csrfToken: string }) {
  return <input type="hidden" name="_token" value={csrfToken} />;
}

/** A date and time: in UTC as the server writes it, in the reader's own zone once script runs. */
export function Time({ at, after }: {
  /** In milliseconds since 1970. */
  at: number;
  /** In a log: the time of the line before, on whose day the date is not repeated; null in the first line. */
  after?: number | null;
}) {
  const iso = new Date(at).toISOString();
  const isLater = typeof after === "number" && isSameDay(at, after, serverStyle);
  return (
    <time dateTime={iso} data-local={after === undefined ? "" : "log"}>
      {timeText(at, isLater ? "clock" : "exact", serverStyle)}
    </time>
  );
}

/** A time in a zone that the page names: with a 24-hour clock, with the reader's own once script runs. */
export function ZoneTime({ at, form, timeZone }: {
  /** In milliseconds since 1970. */
  at: number;
  form: TimeForm;
  timeZone: string;
}) {
  // By its other name, UTC is not repeated in each time.
  const zone = timeZone === "UTC" ? "Etc/UTC" : timeZone;
  return (
    <time dateTime={new Date(at).toISOString()} data-local={form} data-zone={zone}>
      {timeText(at, form, { ...serverStyle, zone })}
    </time>
  );
}

/** The footer of every page. */
export function Footer({ children }: { children?: ComponentChildren }) {
  return (
    <footer class="site-footer">
      {children}
      <noscript>
        <p class="notice notice-warning">
          {text`JavaScript is off, so this number won't update. Reload to see the current count.`}
        </p>
      </noscript>
    </footer>
  );
}

import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { installConfirm, installSentForms } from "../page/confirm.ts";
import { fetchJson, onlineFeed } from "../live_view/online_feed.ts";
import { href, personPath } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { OnlineChanged } from "@/shared/online.ts";
import { seenEntries } from "./timeline.ts";
import { PersonPage, type PersonView } from "./PersonPage.tsx";
import { text } from "@/shared/language.ts";

/** How the address's fragment begins that names the person in the panel. */
const fragmentStart = "#person=";

/** Where the panel is, and what marks the row of its person: a style sheet, as the list may draw its rows again. */
interface PanelParts {
  host: HTMLElement;
  mark: CSSStyleSheet;
}

let parts: PanelParts | undefined;

/** The parts of the one panel, which the first use puts into the page, and from which on the page remembers. */
function panelParts(settings?: ClientSettings): PanelParts {
  if (parts) return parts;
  if (settings) rememberChanges(settings);
  parts = { host: document.createElement("div"), mark: new CSSStyleSheet() };
  document.querySelector("#app")?.append(parts.host);
  document.adoptedStyleSheets.push(parts.mark);
  return parts;
}

/** Keeps what the list says of pages and idle times, for the timelines of people who are shown later. */
function rememberChanges(settings: ClientSettings): void {
  const feed = onlineFeed(settings);
  feed.listen<OnlineChanged>("OnlineChanged", ({ changes }) => {
    const at = Date.now() + (feed.current().clockAhead ?? 0);
    for (const change of changes) seenEntries.follow(change, at);
  });
}

/** Shows a person beside the list, in place of the one before, and names them in the address. */
export function openPerson(id: string, settings: ClientSettings): void {
  const { host, mark } = panelParts(settings);
  mark.replaceSync(`tr[data-id="${CSS.escape(id)}"] { background: var(--accent-wash); }`);
  const address = fragmentStart + encodeURIComponent(id);
  if (location.hash !== address) history.replaceState(history.state, "", address);
  render(<PersonPanel key={id} id={id} settings={settings} />, host);
}

/** Takes the panel away; the focus returns to the person in the list. */
function closePerson(id: string): void {
  const { host, mark } = panelParts();
  render(null, host);
  mark.replaceSync("");
  history.replaceState(history.state, "", location.pathname + location.search);
  rowOf(id)?.querySelector("a")?.focus();
}

function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`tr[data-id="${CSS.escape(id)}"]`);
}

/** The person above or below another one in the list; undefined at its end, and where the person is not in it. */
function neighbourOf(id: string, key: string): string | undefined {
  const row = rowOf(id);
  const next = key === "ArrowDown" ? row?.nextElementSibling : row?.previousElementSibling;
  if (!(next instanceof HTMLElement) || !next.querySelector("a[href]")) return undefined;
  next.scrollIntoView({ block: "nearest" });
  return next.dataset.id;
}

/**
 * A person beside the list, with all that the person's own page has. Escape closes it; the arrow keys show the person
 * above or below in the list.
 */
function PersonPanel({ id, settings }: { id: string; settings: ClientSettings }) {
  useEffect(() => {
    // Confirmations come first: a form that has to be confirmed is not sent yet. The live view has no forms to ask for.
    const uninstalls = [installConfirm, installSentForms].map((install) => install(document));
    return () => uninstalls.forEach((uninstall) => uninstall());
  }, []);
  const [view, setView] = useState<PersonView | "loading" | null>("loading");
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
    const aborted = new AbortController();
    fetchJson<PersonView>(href(`${personPath(id)}/view`), aborted.signal).then((answer) => {
      if (!aborted.signal.aborted) setView(answer);
    });
    return () => aborted.abort();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") return closePerson(id);
    const isTyping = event.target instanceof Element &&
      event.target.matches("input, textarea, select");
    if (isTyping || !["ArrowDown", "ArrowUp"].includes(event.key)) return;
    const next = neighbourOf(id, event.key);
    if (next === undefined) return;
    event.preventDefault();
    openPerson(next, settings);
  };
  return (
    <aside
      class="person-panel"
      ref={panel}
      tabIndex={-1}
      aria-label={typeof view === "object" && view ? view.first.name : text`Person`}
      onKeyDown={onKeyDown}
    >
      <p class="card card-head">
        <a href={href(personPath(id))}>{text`Open as a page`}</a>
        <button class="button button-quiet" type="button" onClick={() => closePerson(id)}>
          {text`Close`}
        </button>
      </p>
      {view === "loading" && <p class="soft">{text`Loading…`}</p>}
      {view === null && (
        <p class="soft">{text`Couldn't load this person. They may have just left.`}</p>
      )}
      {typeof view === "object" && view && <PersonPage {...view} settings={settings} level={2} />}
    </aside>
  );
}

import "../page/every_page_scripts.ts";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { href } from "@/shared/address.ts";
import { type Found, type FoundEntry, type FoundGroup, maxFindLength } from "@/shared/find.ts";
import {
  foundText,
  keysOf,
  movedBy,
  recentEntries,
  rememberEntry,
  shownGroups,
} from "./found_entries.ts";
import { text } from "@/shared/language.ts";

/** How long the reader pauses before what is typed is searched for, in milliseconds. */
const pauseMs = 120;

/** When a search whose people were late is made again, in milliseconds. */
const againMs = 1_000;

let host: HTMLElement | undefined;

/**
 * Opens the list of keys for `?`, else the search; closes what is open of them.
 *
 * @param hasSearch whether the page has a search of its own.
 */
export function openFind(key: string, hasSearch: boolean): void {
  const open = document.querySelector<HTMLDialogElement>("dialog[open]");
  if (open) return open.matches(".find-dialog") ? open.close() : undefined;
  if (!host) document.body.append(host = document.createElement("div"));
  render(key === "?" ? <KeysDialog hasSearch={hasSearch} /> : <FindDialog />, host);
}

/** A dialog over the page, opened when it is drawn; it is taken away when it is closed, by Escape or a click beside it. */
function useDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return {
    ref: dialog,
    onClose: () => render(null, host!),
    onClick: (event: MouseEvent) => {
      if (event.target === dialog.current) dialog.current?.close();
    },
  };
}

/** What was found last, and for which text. */
type Answer = { text: string; found: Found } | { text: string; found: null };

/** Searches while the reader types; only the answer to the latest text is shown. */
function useFound(text: string): Answer | undefined {
  const [answer, setAnswer] = useState<Answer>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    const ask = async () => {
      const found = await fetchFound(text, aborted.signal);
      if (aborted.signal.aborted) return;
      setAnswer({ text, found });
      if (found?.isLate) timer = setTimeout(() => setRound(round + 1), againMs);
    };
    let timer = setTimeout(ask, answer ? pauseMs : 0);
    return () => {
      clearTimeout(timer);
      aborted.abort();
    };
  }, [text, round]);
  return answer;
}

async function fetchFound(text: string, signal: AbortSignal): Promise<Found | null> {
  try {
    const path = `/admin/find/list?${new URLSearchParams({ q: text })}`;
    const headers = { accept: "application/json" };
    const response = await fetch(href(path), { headers, signal });
    if (response.ok) return await response.json();
  } catch {
    // The network failed, or the reader typed on.
  }
  return null;
}

/** The search: a combobox whose list has what is found, in groups. */
function FindDialog() {
  const dialog = useDialog();
  const [typed, setTyped] = useState("");
  const [active, setActive] = useState(0);
  /** Whether Enter was pressed before the answer had come. */
  const isAwaited = useRef(false);
  const list = useRef<HTMLDivElement>(null);
  const sought = typed.trim();
  const answer = useFound(sought);
  const reader = answer?.found?.reader ?? "";
  const groups = answer?.found
    ? shownGroups(answer.found.groups, answer.text, recentEntries(sessionStorage, reader))
    : [];
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const option = () => list.current?.querySelectorAll<HTMLElement>("[role=option]")[active];
  useEffect(() => option()?.scrollIntoView({ block: "nearest" }), [active, answer]);
  useEffect(() => {
    if (answer?.text !== sought) return;
    if (isAwaited.current) option()?.click();
    isAwaited.current = false;
  }, [answer]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      if (answer?.text === sought) option()?.click();
      else isAwaited.current = true;
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setActive(movedBy(event.key, active, count));
    }
  };
  const open = (entry: FoundEntry) => {
    rememberEntry(sessionStorage, reader, entry);
    dialog.ref.current?.close();
  };
  return (
    <dialog {...dialog} class="confirm find-dialog" aria-label={text`Search or jump to…`}>
      <div class="card tight">
        <div class="search">
          <input
            type="text"
            role="combobox"
            aria-label={text`Search or jump to…`}
            aria-expanded={count > 0}
            aria-controls="find-list"
            aria-autocomplete="list"
            aria-activedescendant={count > 0 ? `find-${active}` : undefined}
            placeholder={text`People, pages, channels, actions`}
            autoComplete="off"
            spellcheck={false}
            enterkeyhint="go"
            maxLength={maxFindLength}
            onKeyDown={onKeyDown}
            onInput={({ currentTarget }) => {
              isAwaited.current = false;
              setTyped(currentTarget.value);
              setActive(0);
            }}
          />
        </div>
        <div
          ref={list}
          id="find-list"
          class="picks scroll tall"
          role="listbox"
          aria-label={text`Results`}
          hidden={count === 0}
        >
          <Groups groups={groups} active={active} onPoint={setActive} onOpen={open} />
        </div>
        <p class={count > 0 ? "visually-hidden" : "empty"} role="status">
          {answer && (answer.found ? foundText(count, answer.text) : failedText())}
        </p>
      </div>
    </dialog>
  );
}

function failedText(): string {
  return text`The search didn't work. Check your connection, or reload the page.`;
}

function Groups({ groups, active, onPoint, onOpen }: {
  groups: readonly FoundGroup[];
  active: number;
  onPoint: (number: number) => void;
  onOpen: (entry: FoundEntry) => void;
}) {
  let next = 0;
  return (
    <>
      {groups.map(({ title, entries }) => (
        <div key={title} role="group" aria-labelledby={`find-${title}`}>
          <p id={`find-${title}`} class="soft" role="presentation">{title}</p>
          {entries.map((entry) => {
            const number = next++;
            return (
              <a
                key={`${entry.path} ${entry.title}`}
                id={`find-${number}`}
                role="option"
                tabIndex={-1}
                aria-selected={number === active}
                href={href(entry.path)}
                onMouseMove={() => onPoint(number)}
                onClick={() =>
                  onOpen(entry)}
              >
                <bdi>{entry.title}</bdi> {entry.detail && <bdi class="soft">{entry.detail}</bdi>}
              </a>
            );
          })}
        </div>
      ))}
    </>
  );
}

/** The list of the keys of the page. */
function KeysDialog({ hasSearch }: { hasSearch: boolean }) {
  const dialog = useDialog();
  const keys = keysOf({
    isMac: /Mac/.test(navigator.userAgent),
    hasSearch,
    hasPanel: document.querySelector(".live") !== null,
  });
  return (
    <dialog {...dialog} class="confirm find-dialog" aria-labelledby="find-keys">
      <div class="card">
        <h2 id="find-keys">{text`Keys`}</h2>
        <dl class="list timeline">
          {keys.map(([names, explanation]) => (
            <div key={explanation}>
              <dt>{names.map((name) => <kbd key={name}>{name}</kbd>)}</dt>
              <dd>{explanation}</dd>
            </div>
          ))}
        </dl>
        <form class="confirm-buttons" method="dialog">
          <button class="button button-quiet" type="submit">{text`Close`}</button>
        </form>
      </div>
    </dialog>
  );
}

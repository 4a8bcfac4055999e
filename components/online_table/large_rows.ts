import "../page/every_page_scripts.ts";
import { href } from "@/shared/address.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { maxAnchors, maxRows, type OnlineRows } from "@/shared/large_channel.ts";
import type { Person } from "@/shared/online.ts";
import type { OnlineTableQuery } from "@/shared/online_table.ts";
import type { WantedRows } from "./row_window.ts";

/** What is shown of the online table. */
export interface ShownRows {
  query: OnlineTableQuery;
  /** As long as the table; sparse: only the rows around the visible ones are known. */
  people: Person[];
}

/** How often rows are brought up to date while people come and go, in milliseconds. */
const refreshMs = 2_000;

/** How long the server may take, in milliseconds. */
const timeoutMs = 15_000;

/**
 * Requests the rows of the online table that are visible, with some around them: when they are not known,
 * after a search or a click on a head, and every two seconds while people come and go. There is one
 * request at a time.
 */
export class LargeRows {
  readonly #settings: ClientSettings;
  readonly #wanted: () => WantedRows;
  readonly #show: (rows: ShownRows) => void;
  #query: OnlineTableQuery | null = null;
  /** What the last answer was to. */
  #shown: ShownRows | null = null;
  /** What changes whenever people come and go; null while the page is not connected. */
  #state: unknown = null;
  #askedState: unknown = null;
  #askedAt = -Infinity;
  #isAsking = false;
  #isStopped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param wanted tells which rows are visible. @param show gets rows whenever they arrive */
  constructor(
    settings: ClientSettings,
    wanted: () => WantedRows,
    show: (rows: ShownRows) => void,
  ) {
    this.#settings = settings;
    this.#wanted = wanted;
    this.#show = show;
    document.addEventListener("visibilitychange", this.look);
  }

  /**
   * Sets what is asked for.
   *
   * @param state another one says that people came or went; null: the page is not connected.
   */
  ask(query: OnlineTableQuery, state: unknown): void {
    this.#query = query;
    this.#state = state;
    this.look();
  }

  /** Requests rows if there is a reason to: call it when other ones are visible. */
  readonly look = (): void => {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#isAsking || this.#state === null) return;
    if (this.#query !== this.#shown?.query || this.#lacksRows()) return void this.#request();
    if (this.#state === this.#askedState || document.hidden) return;
    const wait = this.#askedAt + refreshMs - Date.now();
    if (wait <= 0) void this.#request();
    else this.#timer = setTimeout(this.look, wait);
  };

  /** Requests nothing more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.look);
  }

  #lacksRows(): boolean {
    const { people } = this.#shown!;
    const { first, end } = this.#wanted();
    for (let row = first; row < Math.min(end, people.length); row++) {
      if (!(row in people)) return true;
    }
    return false;
  }

  async #request(): Promise<void> {
    const query = this.#query!;
    this.#isAsking = true;
    this.#askedState = this.#state;
    this.#askedAt = Date.now();
    const rows = await fetchRows(this.#address(query));
    this.#isAsking = false;
    if (this.#isStopped) return;
    if (rows) {
      const people: Person[] = new Array(rows.hits);
      rows.people.forEach((person, index) => people[rows.offset + index] = person);
      this.#show(this.#shown = { query, people });
      this.look();
    } else this.#timer = setTimeout(this.look, refreshMs);
  }

  #address(query: OnlineTableQuery): string {
    const { only, search, sort: { column, descending } } = query;
    const isSame = query === this.#shown?.query;
    const { first, end, anchors } = isSame ? this.#wanted() : atTop;
    const margin = Math.max(0, Math.floor((maxRows - (end - first)) / 2));
    const parameters = new URLSearchParams(this.#settings.channelQuery);
    parameters.set("offset", String(Math.max(0, first - margin)));
    parameters.set("limit", String(maxRows));
    parameters.set("q", search);
    parameters.set("only", only ?? "");
    parameters.set("sort", descending ? `-${column}` : column);
    for (const { id, row } of anchors.slice(0, maxAnchors)) {
      parameters.append("anchor", `${row}:${id}`);
    }
    return href(`/admin/online/rows?${parameters}`);
  }
}

const atTop: WantedRows = { first: 0, end: 0, anchors: [] };

/** Null when the request fails: it is repeated, and the connection's own status shows a failure. */
async function fetchRows(address: string): Promise<OnlineRows | null> {
  try {
    const response = await fetch(address, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
  } catch {
    // As above.
  }
  return null;
}

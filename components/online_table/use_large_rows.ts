import { useEffect, useRef, useState } from "react";
import type { LargeRows, ShownRows } from "./large_rows.ts";
import type { Online } from "../live_view/online.ts";
import type { WantedRows } from "./row_window.ts";
import type { ClientSettings } from "@/shared/client_settings.ts";
import type { OnlineTableQuery } from "@/shared/online_table.ts";

/**
 * The rows of the online table while more people are online than a page gets a list of, and what tells which
 * ones the table shows; null without them.
 */
export function useLargeRows(
  settings: ClientSettings,
  { state, summary }: Online,
  query: OnlineTableQuery,
): [ShownRows | null, (wanted: () => WantedRows) => void] {
  const [rows, setRows] = useState<ShownRows | null>(null);
  const large = useRef<LargeRows | null>(null);
  const wanted = useRef<() => WantedRows>(() => ({ first: 0, end: 0, anchors: [] }));
  const isLarge = summary !== null;
  const ask = () => large.current?.ask(query, state === "following" ? summary : null);
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (!isLarge) return;
    let isOver = false;
    // Imported here, because few installations have so many users.
    import("./large_rows.ts").then(({ LargeRows }) => {
      if (isOver) return;
      large.current = new LargeRows(settings, () => wanted.current(), setRows);
      latest.current();
    }).catch(console.error);
    return () => {
      isOver = true;
      large.current?.stop();
      large.current = null;
      setRows(null);
    };
  }, [isLarge]);
  useEffect(ask, [query, state, summary]);
  return [isLarge ? rows : null, (view) => {
    wanted.current = view;
    large.current?.look();
  }];
}

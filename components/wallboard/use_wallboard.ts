import { useEffect, useState } from "react";
import type { UsersCounted, WallboardHour } from "@/shared/wallboard.ts";
import { nextFrame } from "../page/first_number.ts";
import { createStore } from "../connection/store.ts";
import {
  initialWallboard,
  reduceWallboard,
  type WallboardEvent,
  type WallboardView,
} from "./wallboard_state.ts";
import type { WallboardAccess } from "./wallboard_connection.ts";

/**
 * What the wallboard shows; renders the component after changes. On the server and at first: `first`,
 * the number and the last hour in the HTML.
 */
export function useWallboard(
  access: WallboardAccess,
  first: UsersCounted,
  hour: WallboardHour | null,
): WallboardView {
  const [view, setView] = useState(() => initialWallboard(first, first.at, hour));
  useEffect(() => {
    const store = createStore<WallboardView, WallboardEvent>({
      initial: initialWallboard(first, Date.now(), hour),
      reduce: reduceWallboard,
      connect: (report) => void connect(access, report),
      nextFrame,
    });
    return store.subscribe(() => setView(store.current()));
  }, []);
  return view;
}

/** Imported here so that the server, which renders islands too, never loads a socket client. */
async function connect(
  access: WallboardAccess,
  report: (event: WallboardEvent) => void,
): Promise<void> {
  try {
    const { connectWallboard } = await import("./wallboard_connection.ts");
    connectWallboard(access, report);
  } catch (error) {
    console.error(error);
    // Without a connection the number stays out of date.
    setTimeout(() => location.reload(), 15_000);
  }
}

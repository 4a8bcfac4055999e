import { useEffect, useState } from "react";
import type { UsersCounted } from "../../shared/wallboard.ts";
import { nextFrame } from "../page/next_frame.ts";
import { createStore } from "../page/store.ts";
import {
  initialWallboard,
  reduceWallboard,
  type WallboardEvent,
  type WallboardView,
} from "./wallboard.ts";
import type { WallboardLinkage } from "./wallboard_connection.ts";

/**
 * What the wallboard shows now, drawing the component anew after changes. On the server and at first:
 * `drawn`, the number that the server counted.
 */
export function useWallboard(linkage: WallboardLinkage, drawn: UsersCounted): WallboardView {
  const [view, setView] = useState(() => initialWallboard(drawn, drawn.at));
  useEffect(() => {
    const store = createStore<WallboardView, WallboardEvent>({
      initial: initialWallboard(drawn, Date.now()),
      reduce: reduceWallboard,
      connect: (report) => void connect(linkage, report),
      nextFrame,
    });
    return store.subscribe(() => setView(store.current()));
  }, []);
  return view;
}

/** Loaded here so that the server, which draws islands too, never loads a socket client. */
async function connect(
  linkage: WallboardLinkage,
  report: (event: WallboardEvent) => void,
): Promise<void> {
  try {
    const { connectWallboard } = await import("./wallboard_connection.ts");
    connectWallboard(linkage, report);
  } catch (error) {
    console.error(error);
    // With no connection the number is what it is: stale.
    setTimeout(() => location.reload(), 15_000);
  }
}

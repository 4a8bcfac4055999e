import type { AppConnection, Guide } from "../../shared/connect.ts";
import { laravelReverbGuide } from "./laravel.ts";

/** How apps of every kind are connected. The blocks are complete: they run as they are. */
export function guidesFor(connection: AppConnection): Guide[] {
  return [laravelReverbGuide(connection)];
}

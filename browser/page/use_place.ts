import { useEffect, useState } from "react";
import { type Place, readersPlace, serverPlace } from "./time_text.ts";

/** Where the reader is: first what the server wrote, so that nothing differs, then the browser's own. */
export function usePlace(): Place {
  const [place, setPlace] = useState(serverPlace);
  useEffect(() => setPlace(readersPlace), []);
  return place;
}

import { useEffect, useRef, useState } from "react";
import type * as declared from "../types/react.d.ts";
import type { ClientSource, HookOptions, Online } from "../types/index.d.ts";
import { follow, unknown } from "./online.ts";

/** See the types. */
export const useRollcall = ((client: ClientSource, channel: string, options: HookOptions = {}) => {
  const [online, setOnline] = useState<Online>(unknown);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const onUpdate: HookOptions["onUpdate"] = (member) => latest.current.onUpdate?.(member);
    return follow(client, channel, { ...latest.current, onUpdate }, setOnline);
    // A function may be another one at each rendering, for the same client.
  }, [typeof client === "function" || client, channel]);
  return online;
}) as typeof declared.useRollcall;

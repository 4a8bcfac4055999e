import type { CountedName } from "@/shared/counted.ts";

/** A counted channel, after the name of its app where that is not the app of Rollcall's own pages. */
export function ChannelName({ channel, app }: Omit<CountedName, "key">) {
  return (
    <>
      {app !== undefined && <span class="soft" dir="auto">{`${app} `}</span>}
      <span dir="ltr">{channel}</span>
    </>
  );
}

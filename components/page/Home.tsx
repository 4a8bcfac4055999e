import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Card } from "./elements.tsx";
import { CountingNote, countingText } from "../presence/OnlineChart.tsx";
import { may } from "@/shared/permissions.ts";
import type { Viewer } from "./Shell.tsx";

/** The home page of a signed-in user or a guest. */
export function Home({ viewer, children }: {
  /** `null` for a guest. */
  viewer: Viewer | null;
  /** The live number. */
  children: ComponentChildren;
}) {
  return (
    <>
      <h1>{viewer ? `Welcome, ${viewer.name}` : "Welcome"}</h1>
      <Card id="now" title="Online now">
        {children}
        {viewer?.mayFollow && may(viewer.role, "view") && (
          <p>
            <a href={href("/admin/online")}>Open the live view</a>
          </p>
        )}
        <CountingNote text={countingText({ ofAdmins: false })} />
      </Card>
    </>
  );
}

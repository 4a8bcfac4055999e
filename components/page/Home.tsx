import type { ComponentChildren } from "preact";
import { href } from "@/shared/address.ts";
import { Card } from "./elements.tsx";
import { CountingNote, countingText } from "../presence/OnlineChart.tsx";
import { may } from "@/shared/permissions.ts";
import type { Viewer } from "./Shell.tsx";
import { text } from "@/shared/language.ts";

/** The home page of a signed-in user or a guest. */
export function Home({ viewer, children }: {
  /** `null` for a guest. */
  viewer: Viewer | null;
  /** The live number. */
  children: ComponentChildren;
}) {
  return (
    <>
      <h1>{viewer ? text`Welcome, ${viewer.name}` : text`Welcome`}</h1>
      <Card id="now" title={text`Online now`}>
        {children}
        {viewer?.mayFollow && may(viewer.role, "view") && (
          <p>
            <a class="button" href={href("/admin/online")}>{text`Open the live view`}</a>
          </p>
        )}
        <CountingNote explanation={countingText({ ofAdmins: false })} />
      </Card>
    </>
  );
}

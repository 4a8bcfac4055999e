import type { ComponentChildren } from "preact";
import { href } from "../../shared/address.ts";
import { Card } from "./Card.tsx";
import { CountingNote } from "../presence/CountingNote.tsx";
import type { Viewer } from "./Header.tsx";

/** The start page of a signed-in user or an admitted guest. */
export function Home({ viewer, children }: {
  /** Who is signed in; `null` for a guest. */
  viewer: Viewer | null;
  /** The live number. */
  children: ComponentChildren;
}) {
  return (
    <>
      <h1>{viewer ? `Hello, ${viewer.name}` : "Hello"}</h1>
      <Card id="now" title="Online now">
        {children}
        {viewer?.role === "admin" && (
          <p>
            <a href={href("/admin/online")}>See it as a chart</a>
          </p>
        )}
        <CountingNote />
      </Card>
    </>
  );
}

import type { ComponentProps } from "preact";
import UsersCount from "../islands/UsersCount.tsx";
import { Card } from "./Card.tsx";
import { CountingNote } from "./CountingNote.tsx";
import type { Viewer } from "./Header.tsx";

/** The start page of a signed-in user or an admitted guest: the live number. */
export function Home({ viewer, ...count }: {
  /** Who is signed in; `null` for a guest. */
  viewer: Viewer | null;
} & ComponentProps<typeof UsersCount>) {
  return (
    <>
      <h1>{viewer ? `Hello, ${viewer.name}` : "Hello"}</h1>
      <Card id="now" title="Online now">
        <UsersCount {...count} />
        <CountingNote />
        {viewer?.role === "admin" && (
          <p>
            <a href="/admin/online">See it as a chart</a>
          </p>
        )}
      </Card>
    </>
  );
}

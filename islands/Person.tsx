import "@/components/page/every_page.ts";
import type { Draft } from "@/components/people/MessageForm.tsx";
import { PersonPage, type PersonView } from "@/components/people/PersonPage.tsx";

// The live view loads it from here: a script of its own would divide those that all pages load.
export { openPerson } from "@/components/people/PersonPanel.tsx";

/** The page of a person, live: one island, so that all that it shows is of the same moment. */
export default function Person(view: PersonView & { draft?: Draft }) {
  return <PersonPage {...view} />;
}

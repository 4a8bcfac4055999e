import { Card } from "./elements.tsx";
import { text } from "@/shared/language.ts";

/** Says that a person is signed out here, while the browser goes on to the provider. */
export function LeavingPage({ provider, url }: {
  /** The name of the provider. */
  provider: string;
  /** Its page that signs out. */
  url: string;
}) {
  return (
    <div class="alone">
      <Card id="leaving" title={text`Signed out`} level={1}>
        <p class="soft">
          {text`You are signed out of Rollcall. The browser goes on to ${provider}.`}
        </p>
        <p class="stack">
          <a class="button" href={url}>{text`Sign out of ${provider}`}</a>
        </p>
      </Card>
    </div>
  );
}

import type { Status } from "../browser/presence.ts";
import { statusWords } from "../browser/presence_words.ts";

/** Says how far the number can be trusted, in a word and a colour. */
export function StatusBadge({ status }: { status: Status }) {
  return (
    <span class={`badge status-${status}`}>
      <span class="badge-dot" aria-hidden="true" />
      {statusWords[status]}
    </span>
  );
}

import { hitsText } from "./online_table_text.ts";

/** The line below the online table: how many people are listed, and whether the list is complete. */
export function OnlineTableFoot({ hits, total, search, problem, onRetry }: {
  hits: number;
  total: number;
  search: string;
  /** Why the list could not be loaded, as a sentence; empty when it was, or is being loaded. */
  problem: string;
  /** Requests the list now; absent where that does not help. */
  onRetry?: () => void;
}) {
  return (
    <div class="online-table-foot">
      <p class="soft">{hitsText(hits, total, search.trim() !== "")}</p>
      {problem && (
        <p class="notice notice-warning online-table-problem" role="status">
          {problem} {onRetry && (
            <>
              Retrying…{" "}
              <button class="button button-quiet" type="button" onClick={onRetry}>Retry now</button>
            </>
          )}
        </p>
      )}
    </div>
  );
}

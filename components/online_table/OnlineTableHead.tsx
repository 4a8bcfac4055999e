import {
  type RosterColumn,
  rosterColumns,
  type RosterSort,
  sortAfter,
  sortName,
} from "../../browser/online/online_table.ts";

/**
 * The head of the roster: a button a column, which sorts by it. Without script the buttons send the
 * form of the search.
 */
export function RosterHead({ sort, formId, onSort }: {
  sort: RosterSort;
  /** The form that the buttons belong to. */
  formId: string;
  onSort: (column: RosterColumn) => void;
}) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {rosterColumns.map(({ column, label }) => (
          <th
            key={column}
            scope="col"
            class={`roster-${column}`}
            aria-sort={column === sort.column ? directionOf(sort) : undefined}
          >
            <button
              type="submit"
              form={formId}
              name="sort"
              value={sortName(sortAfter(sort, column))}
              onClick={(event) => {
                event.preventDefault();
                onSort(column);
              }}
            >
              {label}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function directionOf({ descending }: RosterSort): "ascending" | "descending" {
  return descending ? "descending" : "ascending";
}

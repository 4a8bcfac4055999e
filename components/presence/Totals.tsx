import { totalsText } from "../../browser/online/online_table_text.ts";

/** Users and their open pages, side by side: `42 users · 57 connections`. */
export function Totals({ users, connections }: { users: number; connections: number }) {
  const [usersText, connectionsText] = totalsText(users, connections);
  return (
    <p class="totals">
      <span>{usersText}</span> · <span>{connectionsText}</span>
    </p>
  );
}

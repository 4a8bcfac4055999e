/** The message for a link that does not work. It does not say whether the link ever existed. */
export const unknownText = {
  title: "Wallboard not found",
  text: "This link is invalid or has been revoked. Ask an admin for a new one.",
};

/** The message for a link that was revoked while the wallboard was shown. */
export const revokedText = {
  title: "This link has been revoked",
  text: "Ask an admin for a new one.",
};

/** The message that a wallboard shows instead of a number. */
export function WallboardMessage({ title, text }: { title: string; text: string }) {
  return (
    <main class="wallboard wallboard-message">
      <h1>{title}</h1>
      <p>{text}</p>
    </main>
  );
}

import { useEffect, useRef, useState } from "react";

/** How long it is said that the text has been copied, in milliseconds. */
const saidMs = 4_000;

/** A text to take along: it is selected by a click, and copied by a button where script runs. */
export default function CopyField(
  { id, label, text }: { id: string; label: string; text: string },
) {
  const input = useRef<HTMLInputElement>(null);
  const [canCopy, setCanCopy] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => setCanCopy(true), []);
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    input.current?.select();
    setSaid(await copied(text) ? "Copied" : "Press Ctrl+C or ⌘C");
  };
  return (
    <div class="copy">
      <input
        ref={input}
        id={id}
        class="copy-text"
        value={text}
        readOnly
        aria-label={label}
        spellcheck={false}
        onClick={() => input.current?.select()}
      />
      <button class="button copy-button" type="button" disabled={!canCopy} onClick={copy}>
        Copy
      </button>
      <span class="copy-said" role="status">{said}</span>
    </div>
  );
}

/** Browsers let pages copy on https and localhost only, and may refuse it there. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

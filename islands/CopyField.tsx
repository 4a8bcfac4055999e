import "@/components/page/every_page.ts";
import { copiedText } from "@/components/page/copied_text.ts";
import { useEffect, useRef, useState } from "react";
import { text } from "@/shared/language.ts";

/** How long the result is shown, in milliseconds. */
const resultMs = 4_000;

/**
 * A read-only text that was just made, in sight and with the focus, as it may not be shown again. With
 * script it is selected, and a button copies it.
 */
export default function CopyField(
  { id, label, text: copied }: { id: string; label: string; text: string },
) {
  const input = useRef<HTMLInputElement>(null);
  const [canCopy, setCanCopy] = useState(false);
  const [result, setResult] = useState("");
  useEffect(() => {
    setCanCopy(true);
    if (document.activeElement === input.current) input.current?.select();
  }, []);
  useEffect(() => {
    if (result === "") return;
    const timer = setTimeout(() => setResult(""), resultMs);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () => {
    input.current?.select();
    setResult(await copiedText(copied) ? text`Copied` : text`Press Ctrl+C (⌘C) to copy`);
  };
  return (
    <div class="search">
      <input
        ref={input}
        id={id}
        class="copy-text"
        value={copied}
        readOnly
        autoFocus
        aria-label={label}
        spellcheck={false}
        onClick={() => input.current?.select()}
      />
      <button class="button" type="button" disabled={!canCopy} onClick={copy}>
        {text`Copy`}
      </button>
      <span class="copy-result" role="status">{result}</span>
    </div>
  );
}

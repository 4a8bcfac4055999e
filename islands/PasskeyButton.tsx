import "@/components/page/every_page.ts";
import { useEffect, useRef, useState } from "react";
import { passkeyAnswer } from "@/components/accounts/passkey_answer.ts";
import { text } from "@/shared/language.ts";

/**
 * A button that has the browser ask for a passkey, and sends the form around it with the answer. It is there with
 * script only.
 */
export default function PasskeyButton({ kind, options, label }: {
  /** Whether a new passkey is made, or one is used. */
  kind: "create" | "get";
  /** JSON, as the server asks. */
  options: string;
  label: string;
}) {
  const answer = useRef<HTMLInputElement>(null);
  const [isReady, setIsReady] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => setIsReady(true), []);
  const ask = async () => {
    const form = answer.current?.form;
    if (!answer.current || !form?.reportValidity()) return;
    setProblem("");
    const result = await passkeyAnswer(kind, options);
    if (result === null) {
      setProblem(text`Your browser gave no passkey. Try again.`);
      return;
    }
    answer.current.value = result;
    form.requestSubmit();
  };
  return (
    <>
      <input ref={answer} type="hidden" name="response" />
      <div>
        <button
          class={kind === "create" ? "button button-quiet" : "button"}
          type="button"
          disabled={!isReady}
          onClick={ask}
        >
          {label}
        </button>
      </div>
      <noscript>
        <p class="field-hint">{text`Passkeys need JavaScript.`}</p>
      </noscript>
      <p class="field-error" role="status">{problem}</p>
    </>
  );
}

import "@/components/page/every_page.ts";
import { useEffect, useState } from "react";
import { copiedText } from "@/components/page/copied_text.ts";
import type { Guide, GuideFile } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";

/**
 * The blocks of code that connect an app, one kind of app at a time, each with a button that copies it. The usual kinds
 * come first, the others are behind a line that a link to one of them opens too.
 */
export default function ConnectGuides({ guides }: { guides: Guide[] }) {
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  const shown = (each: Guide) => (
    <details key={each.id} id={`guide-${each.id}`} name="guide" open={each === guides[0]}>
      <summary>{each.title}</summary>
      <p class="soft" id={`about-${each.id}`}>
        {each.intro.split("`").map((part, index) =>
          index % 2 ? <code key={index}>{part}</code> : part
        )}
      </p>
      {each.files.map((file) => <Block key={file.name} file={file} canCopy={isLive} />)}
    </details>
  );
  const further = guides.filter(({ isFurther }) => isFurther);
  return (
    <div class="list rows guides">
      {guides.filter(({ isFurther }) => !isFurther).map(shown)}
      {further.length > 0 && (
        <details id="further-guides">
          <summary>{text`More frameworks and features`}</summary>
          <div class="list rows">{further.map(shown)}</div>
        </details>
      )}
    </div>
  );
}

function Block(
  { file: { name, language, text: code }, canCopy }: { file: GuideFile; canCopy: boolean },
) {
  const [result, setResult] = useState("");
  useEffect(() => {
    if (result === "") return;
    const timer = setTimeout(() => setResult(""), 4_000);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = async () =>
    setResult(await copiedText(code) ? text`Copied` : text`Select the text to copy it`);
  return (
    <figure class="code-block">
      <figcaption>
        <span>{name}</span>
        <span class="copy-result" role="status">{result}</span>
        <button class="button button-quiet" type="button" disabled={!canCopy} onClick={copy}>
          {text`Copy`}
          <span class="visually-hidden">{` ${name}`}</span>
        </button>
      </figcaption>
      <pre tabIndex={0} data-language={language}><code>{code}</code></pre>
    </figure>
  );
}

import "@/components/page/every_page.ts";
import { useEffect, useState } from "react";
import { copiedText } from "@/components/page/copied_text.ts";
import type { Guide, GuideFile } from "@/shared/connect.ts";
import { text } from "@/shared/language.ts";

/** The blocks of code that connect an app, one kind of app at a time, each with a button that copies it. */
export default function ConnectGuides({ guides }: { guides: Guide[] }) {
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  return (
    <div class="list rows guides">
      {guides.map((guide, index) => (
        <details key={guide.id} id={`guide-${guide.id}`} name="guide" open={index === 0}>
          <summary>{guide.title}</summary>
          <p class="soft" id={`about-${guide.id}`}>{guide.intro}</p>
          {guide.files.map((file) => <Block key={file.name} file={file} canCopy={isLive} />)}
        </details>
      ))}
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

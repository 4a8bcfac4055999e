import { asset } from "fresh/runtime";
import { useEffect, useState } from "react";
import { step } from "../browser/step.ts";

export default function Counter({ start, label }: { start: number; label: string | undefined }) {
  const [count, setCount] = useState(start);
  const [isAwake, setAwake] = useState(false);
  useEffect(() => setAwake(true), []);
  return (
    <>
      <button type="button" data-awake={isAwake} onClick={() => setCount(count + step)}>
        {label ?? "no label"}: {count}
      </button>
      {count > 10 && <output>more than ten</output>}
      <a href={asset("/notes.txt")}>notes</a>
      {count > 10 && <small>the last</small>}
    </>
  );
}

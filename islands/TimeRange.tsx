import "@/components/page/every_page.ts";
import { useEffect, useState } from "react";
import { wordText } from "@/shared/long_text.ts";
import { inputTime, utcTime } from "@/components/page/input_time.ts";

interface Props {
  /** In milliseconds since 1970. */
  since?: number;
  until?: number;
}

/**
 * The two ends of a time range in a form, which is sent in UTC. The reader sees UTC too, named in the
 * label, until the script replaces it by the reader's own zone. They stay beside each other, as far as there is room.
 */
export default function TimeRange({ since, until }: Props) {
  return (
    <div class="row log-filter">
      <TimeField name="from" label={wordText("From", "a time")} at={since} />
      <TimeField name="until" label={wordText("To", "a time")} at={until} />
    </div>
  );
}

function TimeField({ name, label, at }: { name: string; label: string; at: number | undefined }) {
  const [local, setLocal] = useState<string | null>(null);
  useEffect(() => setLocal(inputTime(at, "local")), []);
  return (
    <div class="field">
      <label for={`activity-${name}`}>
        {label} {local === null && <span class="soft">(UTC)</span>}
      </label>
      <input
        id={`activity-${name}`}
        type="datetime-local"
        name={local === null ? name : undefined}
        value={local ?? inputTime(at, "UTC")}
        max="9999-12-31T23:59"
        onInput={({ currentTarget }) => setLocal(currentTarget.value)}
      />
      {local !== null && <input type="hidden" name={name} value={utcTime(local, at)} />}
    </div>
  );
}

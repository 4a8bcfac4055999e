import "@/components/page/every_page.ts";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientSettings } from "@/shared/client_settings.ts";
import { readingMs, type Toast, withToast } from "@/components/people/toasts.ts";
import { MessageToast } from "@/components/people/MessageToast.tsx";
import { text } from "@/shared/language.ts";

interface Props {
  settings: ClientSettings;
  /** The id under which the reader is counted. */
  viewerId: string;
}

/**
 * Messages from admins to the reader or to everyone. A message stays until it is dismissed or times
 * out; the time restarts when the reader points at it, has the focus in it or looks at another page.
 */
export default function Messages({ settings, viewerId }: Props) {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const paused = useRef(new Set<number>());
  const isWatched = useVisibility();

  useEffect(() => {
    let lastId = 0;
    // Imported here so that the server, which renders islands too, never loads a socket client.
    import("@/components/people/message_connection.ts").then(({ connectMessages }) =>
      connectMessages(settings, viewerId, (message) => {
        const toast = { ...message, id: ++lastId };
        setToasts((before) => withToast(before, toast, (id) => paused.current.has(id)));
      })
    ).catch(console.error);
  }, []);

  const dismiss = (toast: Toast) => {
    paused.current.delete(toast.id);
    setToasts((before) => before.filter(({ id }) => id !== toast.id));
  };
  return (
    <div class="stack toasts" role="status" aria-label={text`Messages`} aria-relevant="additions">
      {toasts.map((toast) => (
        <MessageToast
          key={toast.id}
          message={toast}
          timeoutMs={isWatched ? readingMs(toast.text) : null}
          onPause={(isPaused) => {
            if (isPaused) paused.current.add(toast.id);
            else paused.current.delete(toast.id);
          }}
          onEnd={() =>
            dismiss(toast)}
        />
      ))}
    </div>
  );
}

function useVisibility(): boolean {
  const [isVisible, setVisible] = useState(true);
  useEffect(() => {
    const follow = () => setVisible(!document.hidden);
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  return isVisible;
}

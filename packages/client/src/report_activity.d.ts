import type { PresenceChannel } from "../types/index.d.ts";

export function reportActivity(channel: PresenceChannel, idleAfterMs?: number): () => void;

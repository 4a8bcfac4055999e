import type { PresenceChannel } from "../types/index.d.ts";

export function reportPage(channel: PresenceChannel, pathOf?: () => string): () => void;

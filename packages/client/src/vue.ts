import { onMounted, onUnmounted, shallowRef } from "vue";
import type * as declared from "../types/vue.d.ts";
import type { ClientSource, HookOptions, Online } from "../types/index.d.ts";
import { follow, unknown } from "./online.ts";

/** See the types. It joins once it is mounted, which a server that renders never does. */
export const useRollcall = ((client: ClientSource, channel: string, options: HookOptions = {}) => {
  const count = shallowRef(unknown.count);
  const members = shallowRef(unknown.members);
  let leave = () => {};
  onMounted(() => {
    leave = follow(client, channel, options, (online: Online) => {
      count.value = online.count;
      members.value = online.members;
    });
  });
  onUnmounted(() => leave());
  return { count, members };
}) as typeof declared.useRollcall;

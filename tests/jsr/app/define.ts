import { createDefine } from "fresh";
export interface State {
  log: string[];
}
export const define = createDefine<State>();

import { define } from "../define.ts";
export default define.layout(({ Component, data }) => (
  <div data-d={String(data)}>
    L0[<Component />]
  </div>
));

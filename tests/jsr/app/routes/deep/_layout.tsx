import { define } from "../../define.ts";
export default define.layout(({ Component }) => (
  <div>
    L1[<Component />]
  </div>
));

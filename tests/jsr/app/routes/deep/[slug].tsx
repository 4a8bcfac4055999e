import { define } from "../../define.ts";
export default define.page((p) => <p>slug={p.params.slug}</p>);

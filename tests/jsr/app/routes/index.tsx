import { define } from "../define.ts";
export default define.page((p) => <p>index data={JSON.stringify(p.data)}</p>);

import { page } from "fresh";
import { define } from "../define.ts";
export const handler = define.handlers({ POST: () => page({ posted: true }) });
export default define.page<typeof handler>((p) => <p>pp {JSON.stringify(p.data)}</p>);

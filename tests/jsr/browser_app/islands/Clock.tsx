import { useState } from "preact/hooks";

export default function Clock() {
  const [ticks, setTicks] = useState(0);
  return <p id="clock" onClick={() => setTicks(ticks + 1)}>{ticks} ticks</p>;
}

import Clock from "../islands/Clock.tsx";
import Pair from "../islands/Pair.tsx";

export default () => (
  <>
    <Pair />
    <Clock />
  </>
);

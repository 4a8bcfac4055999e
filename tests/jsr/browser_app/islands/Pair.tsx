import Clock from "./Clock.tsx";

export default function Pair() {
  return (
    <div>
      <Clock />
      <Clock />
    </div>
  );
}

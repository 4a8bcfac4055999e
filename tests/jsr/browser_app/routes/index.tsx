import Clock from "../islands/Clock.tsx";
import Counter from "../islands/Counter.tsx";
import Late from "../islands/Late.tsx";

export default function Page() {
  return (
    <main>
      <Counter start={9} label="</script><b>" />
      <Counter start={1} label={undefined} />
      <Clock />
      <Late />
      <p id="after">after</p>
    </main>
  );
}

import { Head } from "fresh/runtime";
import Clock from "../islands/Clock.tsx";
import Counter from "../islands/Counter.tsx";
import Late from "../islands/Late.tsx";

export default function Page() {
  return (
    <main>
      <Head>
        <title>Counters</title>
        <link rel="icon" href="data:," />
      </Head>
      <Counter start={9} label="</script><b>" />
      <Counter start={1} label={undefined} />
      <Clock />
      <Late />
      <p id="after">after</p>
    </main>
  );
}

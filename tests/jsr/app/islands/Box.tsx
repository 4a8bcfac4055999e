export default function Box({ v }: { v: unknown }) {
  return <span class="box">{typeof v}</span>;
}

export default async function X() {
  await 0;
  return new Response("from-component", { status: 203 });
}

import "./echo";

let ids = [];

function show(members) {
  ids = members;
  document.querySelector("#online").textContent = `${ids.length} online`;
}

window.Echo.join("chart")
  .here((members) => show(members.map(({ id }) => id)))
  .joining(({ id }) => show([...ids, id]))
  .leaving(({ id }) => show(ids.filter((other) => other !== id)))
  .error(({ status }) => console.warn("refused with status", status));

// A transcript from the visitor's own disk, chosen or dropped, shown like a stored match.

import { Player, fetcher } from "./player.js";

const form = document.getElementById("open");
const field = form.elements.file;
const error = document.getElementById("open-error");
const place = document.getElementById("opened");
const zone = document.getElementById("drop");

/** The page that shows a file; it says where the pieces of its replay are. */
async function send(file) {
  const data = new FormData();
  data.append("script", "yes");
  data.append("file", file);
  const response = await fetch("/replay", { method: "POST", body: data, headers: { Accept: "text/html" } });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const match = page.querySelector("[data-player]");
  const problem = page.getElementById("open-error")?.textContent ?? page.querySelector("main")?.innerText;
  if (!match) throw new Error(problem || "The file could not be opened.");
  return { page, fetchPiece: fetcher(match.dataset.replay) };
}

async function open(file) {
  error.textContent = "";
  place.setAttribute("aria-busy", "true");
  try {
    let sent = await send(file);
    for (const link of sent.page.querySelectorAll("link[data-look]")) document.head.append(link);
    place.replaceChildren(...sent.page.getElementById("opened").children);
    const player = new Player(place.querySelector("[data-player]"), async (turn, seat) => {
      const response = await sent.fetchPiece(turn, seat);
      if (response.status !== 404) return response;
      sent = await send(file); // the server has forgotten it
      return sent.fetchPiece(turn, seat);
    });
    await player.start(player.turns);
  } catch (problem) {
    place.replaceChildren();
    error.textContent = problem.message;
  } finally {
    place.removeAttribute("aria-busy");
  }
}

form.addEventListener("submit", (event) => {
  if (!field.files.length) return;
  event.preventDefault();
  open(field.files[0]);
});
field.addEventListener("change", () => field.files.length && open(field.files[0]));
for (const name of ["dragenter", "dragover"]) {
  document.addEventListener(name, (event) => {
    event.preventDefault();
    zone.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => event.relatedTarget ?? zone.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  const [file] = event.dataTransfer.files;
  if (file) open(file);
});

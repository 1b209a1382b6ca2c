// A transcript from the visitor's own disk, chosen or dropped, shown like a stored match.

import { Player } from "./player.js";

const form = document.getElementById("open");
const field = form.elements.file;
const error = document.getElementById("open-error");
const place = document.getElementById("opened");
const zone = document.getElementById("drop");

function post(url, file, seat, accept) {
  const data = new FormData();
  if (seat !== null) data.append("seat", seat);
  data.append("file", file);
  return fetch(url, { method: "POST", body: data, headers: { Accept: accept } });
}

async function open(file) {
  error.textContent = "";
  place.setAttribute("aria-busy", "true");
  try {
    const response = await post("/replay", file, null, "text/html");
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const problem = page.getElementById("open-error")?.textContent ?? page.querySelector("main")?.innerText;
    const match = page.querySelector("[data-player]");
    if (!match) throw new Error(problem || "The file could not be opened.");
    for (const link of page.querySelectorAll("link[data-look]")) document.head.append(link);
    place.replaceChildren(...page.getElementById("opened").children);
    const player = new Player(place.querySelector("[data-player]"), (seat) =>
      post("/replay/frames.json", file, seat, "application/json"),
    );
    await player.start(null);
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

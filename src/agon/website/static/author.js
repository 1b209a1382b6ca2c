// The author's own log beside a replay: it follows the turn that the board shows.

const root = document.querySelector("[data-player]");

async function follow(section) {
  const response = await fetch(section.dataset.log, { headers: { Accept: "application/json" } });
  if (!response.ok) return;
  const { turns } = await response.json();
  const part = (name) => section.querySelector(`[data-part="${name}"]`);
  const show = (turn) => {
    const page = turns[Math.min(turn, turns.length - 1)];
    part("log-turn").textContent = `Turn ${page.turn}`;
    part("log-words").textContent = page.words;
    part("log-lines").textContent = page.lines.join("\n") || "nothing";
    part("log-stderr").textContent = page.stderr || "nothing";
  };
  root.addEventListener("turn", (event) => show(event.detail));
  show(Number(root.dataset.turn));
}

for (const section of document.querySelectorAll("[data-log]")) follow(section);

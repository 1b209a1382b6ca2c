// The form for a new match: only seats that there are can be chosen.

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const players = part("players");

function adjust() {
  const count = Number(players.value);
  for (const option of part("seat").options) {
    option.hidden = option.disabled = Number(option.value) >= count;
    if (option.disabled && option.selected) part("seat").value = "";
  }
  part("others").disabled = count < 3;
}

if (players) {
  players.addEventListener("change", adjust);
  adjust();
}

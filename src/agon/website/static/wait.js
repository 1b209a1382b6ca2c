// A page that waits for something: it asks again, and shows which of its parts have changed.
// Where the waiting is over, the page goes there, or is loaded whole.

const SECOND = 1000;
const SLOWEST = 10 * SECOND;

/** What changes. Its first part may say the seconds between two questions: data-wait="4". */
const parts = (page) => [...page.querySelectorAll("[data-wait]")];
const shortest = SECOND * (parts(document)[0]?.dataset.wait || 1);
let pause = shortest;

/** Show what is new, but do not close what the visitor has opened to read. */
function show(part, news) {
  if (news.innerHTML === part.innerHTML || part.querySelector("details[open]")) return;
  part.replaceChildren(...news.childNodes);
  pause = shortest;
}

async function ask() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected) return location.replace(answer.url);
    const news = parts(new DOMParser().parseFromString(await answer.text(), "text/html"));
    const shown = parts(document);
    if (!answer.ok || news.length !== shown.length) return location.reload();
    shown.forEach((part, index) => show(part, news[index]));
  } catch {
    // The site is away for a moment.
  }
  pause = Math.min(1.2 * pause, SLOWEST);
  setTimeout(ask, pause);
}

if (parts(document).length) setTimeout(ask, pause);

// A page on which a visitor waits for something: it asks again, and shows what has changed.
// Where the waiting is over, the page goes there, or is loaded whole.

const SECOND = 1000;
const SLOWEST = 10 * SECOND;

const waiting = () => document.querySelector("[data-wait]");
let pause = SECOND;

async function ask() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.redirected) return location.replace(answer.url);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const news = page.querySelector("[data-wait]");
    if (!answer.ok || !news) return location.reload();
    if (news.innerHTML !== waiting().innerHTML) {
      waiting().replaceChildren(...news.childNodes);
      pause = SECOND;
    }
  } catch {
    // The site is away for a moment.
  }
  pause = Math.min(1.2 * pause, SLOWEST);
  setTimeout(ask, pause);
}

if (waiting()) setTimeout(ask, pause);

// The visitor's choice of light or dark, before anything is painted; a button changes it.
(() => {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const read = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be forbidden; the system's choice is shown then
    }
  };
  const chosen = read();
  if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  const isDark = () => (root.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.theme");
    const tell = () => {
      button.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
      button.title = button.getAttribute("aria-label");
    };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch {
        // it lasts until the page is left
      }
      tell();
    });
    dark.addEventListener("change", tell);
    tell();
  });
})();

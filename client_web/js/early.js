// Runs before the first paint: a dark page never flashes white, and the words are asked for while the scripts still
// come. Law: it reads what this browser remembers and sets language and theme on the page; no more than that.
(() => {
  const LANGUAGES = ["en", "tr", "hi"];
  const page = document.documentElement;
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("fairway"))?.settings ?? {};
  } catch {
    // No storage: what the system and the browser say.
  }
  const { theme = "auto", language = null } = kept;
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.dataset.theme = dark ? "dark" : "light";
  // The remembered language, else the browser's first that we have, else English.
  const wanted = [language, ...(navigator.languages ?? []).map((tag) => tag.toLowerCase().split("-")[0])];
  page.lang = wanted.find((one) => LANGUAGES.includes(one)) ?? "en";
  const words = document.createElement("link");
  Object.assign(words, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: `/i18n/${page.lang}.json` });
  document.head.append(words);
})();

// Runs before the first paint, so that a dark page never flashes white. Law: no more than that.
(() => {
  let theme = "auto";
  try {
    theme = JSON.parse(localStorage.getItem("fairway"))?.settings?.theme ?? "auto";
  } catch {
    // No storage: the system's theme.
  }
  const dark = theme === "dark" || (theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();

// Before the first paint, so that a dark page does not flash. A file of its own: scripts inside the page are forbidden.
(() => {
  let wanted = 'auto';
  try {
    wanted = localStorage.getItem('lynceus-color-scheme') ?? 'auto';
  } catch {
    // Storage is forbidden: the system's choice holds.
  }
  const dark =
    wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// Runs before the first paint, so that a dark page does not flash. In a file of its own, since inline scripts are forbidden.
(() => {
  let wanted = 'auto';
  try {
    wanted = localStorage.getItem('lynceus-color-scheme') ?? 'auto';
  } catch {
    // Storage is forbidden: the setting of the system applies.
  }
  const dark =
    wanted === 'dark' || (wanted !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

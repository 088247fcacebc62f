export function StreamOutputsPage() {
  return null;
}

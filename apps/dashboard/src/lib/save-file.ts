/** Hands a file to the browser, which asks where to put it or follows its settings. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Later than the click, which the browser follows in its own time.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

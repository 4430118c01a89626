/** Has the browser save the text under its name. */
export function saveYaml({ file_name, yaml }: { file_name: string; yaml: string }): void {
  const url = URL.createObjectURL(new Blob([yaml], { type: 'application/yaml;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file_name;
  link.click();
  URL.revokeObjectURL(url);
}

import { saveFile } from '../../../lib/save-file.ts';

/** Has the browser save the text under its name. */
export function saveYaml({ file_name, yaml }: { file_name: string; yaml: string }): void {
  saveFile(new Blob([yaml], { type: 'application/yaml;charset=utf-8' }), file_name);
}

import { saveYaml } from '../../detail/save-yaml.ts';
import type { BuilderDefinition } from '../document/builder-action.ts';

/** Gives the playbook to the browser as a YAML file. */
export async function saveAsFile(definition: BuilderDefinition): Promise<void> {
  // The reader and writer of YAML come with the first use.
  const { fileNameOf, writeYaml } = await import('../document/definition-yaml.ts');
  saveYaml({ file_name: fileNameOf(definition), yaml: writeYaml(definition) });
}

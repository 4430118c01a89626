import type { BuilderDefinition } from '../document/builder-action.ts';

/** Gives the playbook to the browser as a YAML file. */
export async function saveAsFile(definition: BuilderDefinition): Promise<void> {
  // The reader and writer of YAML come with the first use.
  const { fileNameOf, writeYaml } = await import('../document/definition-yaml.ts');
  const url = URL.createObjectURL(new Blob([writeYaml(definition)], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileNameOf(definition);
  link.click();
  URL.revokeObjectURL(url);
}

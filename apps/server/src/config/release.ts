import manifest from '../../package.json' with { type: 'json' };

/** Version of this build; the dashboard's stored data of another one is thrown away. */
export const release: string = manifest.version;

/// <reference types="vite/client" />

/** Version of this build, from the package. */
declare const __RELEASE__: string;

/**
 * Vite warns that some day it will load configuration files natively, and that ours are ES modules in a package whose
 * main is CommonJS. It is true, changes nothing now, and stands before every run.
 */
export const quietVite = { VITE_CONFIG_NATIVE_IGNORE_WARNING: 'true' }

/** Imports: exports of other systems, kept in Skein's own folder. */

export { type ImportDeps, type Imported, importExport } from './imports/import-export'

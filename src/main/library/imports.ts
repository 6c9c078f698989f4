/** What takes in exports of other systems and keeps them. */

export { type ImportDeps, type Imported, importExport } from './imports/import-export'

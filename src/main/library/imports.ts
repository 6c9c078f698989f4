/** What takes in exports of other systems and keeps them. */

export { type Imported, importExport } from './imports/import-export'

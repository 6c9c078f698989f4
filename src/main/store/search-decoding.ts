// The entries of a home as search reads them, and the filter beside a partition.
export { chibiDecoder } from './filters/chibi-decoder'
export { searchableDamage, toSearchableEntry } from './filters/searchable-entry'
export { filterPathOf } from './filters/sidecar'
export { decodeLegacyDocument } from './lines/legacy-document'

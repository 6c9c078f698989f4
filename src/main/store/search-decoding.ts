// The entries of a home as search reads them, and the filter beside a partition.
export { chibiDecoder } from './filters/chibi-decoder'
export { searchableEntry } from './filters/searchable-entry'
export { sidecarOf } from './filters/sidecar'
export { decodeLegacyDocument } from './legacy-document'

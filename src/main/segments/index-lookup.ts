// What a search asks of an index: which segments of a file may hold a term.
export { segmentBytes } from './build-part'
export type { FileCoverage } from './coverage'
export { hazards } from './hazards'
export type { PartIndex } from './part-index'
export { buildTerm } from './term'

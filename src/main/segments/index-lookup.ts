// What a search asks of an index: the segments of a file that may contain a term.
export { segmentBytes } from './build/build-part'
export type { FileCoverage } from './coverage/coverage'
export {
  allBlocks,
  blockOf,
  type IndexedRun,
  type IndexedSegment,
  isWholePart,
} from './parts/part-format'
export type { PartIndex } from './parts/part-index'
export { type HazardTable, hazardTable, isHazardAt } from './terms/hazard-table'
export { hazards } from './terms/hazards'
export { buildTerm } from './terms/search-term'

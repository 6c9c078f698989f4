/** Types and functions for the view of the map. */
export type { MapMode } from './map/map'
export { comparedPoints, ownBeginning } from './map/node-points'
export { hitPlace, nodePlace } from './map/preview'

/** Types and functions for the view of the map. */
export type { MapMode } from './map/map'
export { nodePlace } from './map/preview'

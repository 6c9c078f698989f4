/** Types and functions for views of a comparison, and for those that open one. */
export { comparePointOf } from './compare/compare-point'
export type { CompareOptions } from './compare/options'

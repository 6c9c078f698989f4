/** What views need of the open transcript besides its stores: its pages, places in it, forks. */
export type { Fork } from './branches'
export { type Adopted, spotOf } from './branching'
export type { Landing, LinePoint } from './landing'
export { cursorBefore, type PageRun } from './pages'
export { lineName } from './reading'

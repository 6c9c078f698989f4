/** What views need of the open transcript besides its stores: its pages, places in it, forks. */
export type { ForkView } from './branches'
export { type AdoptedConversation, spotKey } from './branching'
export type { Landing, LinePoint } from './landing'
export { cursorBefore, type PageRun } from './pages'
export { lineAddressKey } from './reading'

/** Types and functions for views of the open transcript: its pages, landings, forks. */
export type { ForkView } from './transcript/branches'
export { type AdoptedConversation, spotKey } from './transcript/branching'
export type { Landing, LinePoint } from './transcript/landing'
export { cursorBefore, type PageRun } from './transcript/pages'
export { lineAddressKey } from './transcript/reading'

/** Types and functions for views of the open transcript: its pages, landings, forks, labels. */
export type { ForkView } from './transcript/branches'
export {
  type AdoptedConversation,
  type PendingBranch,
  spotKey,
  type UnwrittenSummary,
} from './transcript/branching'
export type { LabelSpot } from './transcript/labels'
export type {
  Landing,
  LinePoint,
  PlaceInTurn,
  ReadingSpot,
  ReadPlace,
  ShownMatch,
} from './transcript/landing'
export { cursorBefore, lineBytes, type PageRun } from './transcript/pages'
export { lineAddressKey, outputKey, toolFold } from './transcript/reading'
export type { OpeningPlace } from './transcript/transcript'
export { hasNews, indexOfSeen, type UnreadBorder } from './transcript/unread'
export { labelSpot, useLabelsAt, useLabelsIn, useLabelsInUse } from './use-labels'

/** Types and functions for views of drafts, queues, runs, consents and requests. */
export type { CompactingState } from './contexts/compacting'
export type { AttachedText } from './run/attached-texts'
export { isRunActive, type LiveRun, liveItemKey, type RunRefusal } from './run/completion'
export type { ConsentAsked, ConsentDecision } from './run/consent'
export { type AttachedImage, newDraftPlace, type PdfOfDraft, type ReadFiles } from './run/drafts'
export type { Queue, QueuedMessage, QueueHold } from './run/queue'
export {
  type ComparisonTarget,
  comparisonTargets,
  type Loadable,
  type SentTab,
} from './transcript/sent'

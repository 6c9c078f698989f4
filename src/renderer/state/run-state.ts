/** What views need of writing and answering besides the stores: drafts, waiting messages, runs, questions of tools. */
export type { CompactingState } from './contexts/compacting'
export { isRunActive, type LiveRun, liveItemKey, type RunRefusal } from './run/completion'
export type { ConsentAsked, ConsentDecision } from './run/consent'
export { type AttachedImage, newDraftPlace } from './run/drafts'
export type { Queue, QueuedMessage, QueueHold } from './run/queue'
export {
  type ComparisonTarget,
  comparisonTargets,
  type Loadable,
  type SentTab,
} from './transcript/sent'

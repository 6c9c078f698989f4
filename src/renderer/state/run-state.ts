/** What views need of writing and answering besides the stores: drafts, waiting messages, runs, questions of tools. */
export type { CompactingState } from './compacting'
export { isRunActive, type LiveRun, liveItemKey, type RunRefusal } from './completion'
export type { ConsentAsked, ConsentDecision } from './consent'
export { type AttachedImage, newDraftPlace } from './drafts'
export type { Queue, QueuedMessage, QueueHold } from './queue'
export { type ComparisonTarget, comparisonTargets, type Loadable, type SentTab } from './sent'

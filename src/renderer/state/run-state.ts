/** What views need of writing and answering besides the stores: drafts, waiting messages, runs, questions of tools. */
export type { CompactingState } from './compacting'
export { isActive, type LiveRun, liveKey, type Refusal } from './completion'
export type { ConsentAsked, ConsentDecision } from './consent'
export { type AttachedImage, newDraftPlace } from './drafts'
export type { Hold, Queue, QueuedMessage } from './queue'
export { type Asked, placesAround, type SentPlace, type SentWay } from './sent'

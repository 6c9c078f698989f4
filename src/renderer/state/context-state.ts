/** What views need of what is done with conversations as wholes: contexts, titles, notes, lost lines, exports. */
export type { ContextQuestion, ContextsStore, PromptText } from './contexts'
export type { Exported } from './exporting'
export { lostLineLimits, shownLines } from './lost'
export { type NoteName, noteSpot } from './notes'
export type { TitleQuestion, TitlesStore } from './titles'
export { useFollowedPlace } from './use-followed-place'

/** What views need of what is done with conversations as wholes: contexts, titles, notes, lost lines, exports. */
export type { ContextQuestion, ContextsStore, PromptText } from './contexts'
export type { WrittenExport } from './exporting'
export { loadedLines, lostLineLimits } from './lost'
export { type NoteKind, noteKey } from './notes'
export type { TitleQuestion, TitlesStore } from './titles'
export { useFollowedRoute } from './use-followed-place'

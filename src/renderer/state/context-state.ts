/** What views need of what is done with conversations as wholes: contexts, titles, notes, lost lines, exports. */
export type { ContextQuestion, ContextsStore, PromptText } from './contexts/contexts'
export { type NoteKind, noteKey } from './contexts/notes'
export type { TagsStore } from './contexts/tags'
export type { WrittenExport } from './library/exporting'
export { loadedLines, lostLineLimits } from './library/lost'
export type { TitleQuestion, TitlesStore } from './library/titles'
export { useFollowedRoute } from './use-followed-route'

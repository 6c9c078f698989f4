/** Types and functions for views of contexts, titles, tags, notes, lost lines and exports. */
export type { ContextQuestion, PromptText } from './contexts/contexts'
export { type NoteKind, noteKey } from './contexts/notes'
export type { UndoableAct } from './contexts/undo'
export type { WrittenExport } from './library/exporting'
export { loadedLines, lostLineLimits } from './library/lost'
export type { TitleQuestion } from './library/titles'
export { useFollowedRoute } from './use-followed-route'
export { useTagsInUse, useTagsOf } from './use-tags'

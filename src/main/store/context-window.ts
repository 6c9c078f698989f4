// The model's window of a context: read now or as of an entry, and compacted.
export { type CompactScope, compactWindow, type NewWindow } from './compact'
export { type ContextAsOf, readAsOf } from './moment'
export { readContextWindow } from './read-window'
export { keptEntryIds } from './window'

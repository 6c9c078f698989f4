// The model's window of a context: read now or as of an entry, and compacted.
export { type CompactScope, compactWindow, type NewWindow } from './context-window/compact'
export { type ContextAsOf, readAsOf } from './context-window/read-as-of'
export { readContextWindow } from './context-window/read-window'
export { keptEntryIds } from './context-window/window-entries'

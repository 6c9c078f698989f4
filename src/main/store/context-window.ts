// The model's window of a context: read now or as of an entry, and compacted.
export { type CompactScope, compactWindow, type NewWindow } from './compact'
export { atEntry, type Moment } from './moment'
export { readWindow } from './read-window'
export { keptBy } from './window'

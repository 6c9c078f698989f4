/** Parts of the library for search: how its files are read, which hits are copies of one entry, and which are on branches that were left. */

export { historyDisk } from '../readers/history-disk'
export { familyDuplicates } from './families/family-duplicates'
export { leftEntries } from './sources/history-branches'
export { searchDecoders } from './sources/search-decoders'
export { isLeftEntry, type LeftEntries, nothingLeft } from './sources/tree/left-entries'

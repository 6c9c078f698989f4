/** Parts of the library for search: how its files are read, and which hits are copies of one entry. */

export { historyDisk } from '../readers/history-disk'
export { familyDuplicates } from './families/family-duplicates'
export { searchDecoders } from './sources/search-decoders'

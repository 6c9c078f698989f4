/** What search needs of the library: how its files are read, and which hits are copies of one entry. */
export { searchDecoders } from './search-decoders'
export { familyDuplicates } from './search-kin'

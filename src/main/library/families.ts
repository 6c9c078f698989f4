/** Which conversations belong together, found out in a thread of its own. */
export { openFamilies } from './families/families'
export { threadFamilies } from './families/families-thread'
export type { ForkedWay } from './families/family-fork'
export type { Families } from './families/library-families'

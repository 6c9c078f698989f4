/** Which conversations belong together, found out in a thread of its own. */
export type { Families } from './families'
export { threadFamilies } from './families-thread'

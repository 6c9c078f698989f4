/** Rooms whose tests are about what is written, and not about the disk, its threads or other processes. */
const rooms =
  /\/test\/(?:cli|main\/(?:exporters|home|library|llm|plugins|readers|search|store|tools))\//

/**
 * Returns true for a test file of a room whose file calls are made in turn, and whose folders are in memory; for none where
 * `SKEIN_FILES=pool` has all tests use what the app uses.
 */
export function isOfWrittenFiles(testPath: string | undefined): boolean {
  return process.env.SKEIN_FILES !== 'pool' && rooms.test(testPath ?? '')
}

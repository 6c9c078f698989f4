/**
 * Words for the person, on stderr: stdout belongs to the data. `SKEIN_QUIET=1` keeps them back.
 * @param {string} text
 */
export function say(text) {
  if (process.env.SKEIN_QUIET !== '1') process.stderr.write(`${text}\n`)
}

/** A failure whose message is all that a person needs: what is wrong and what to do. Shown without a stack. */
export class Fault extends Error {}

/**
 * Runs a script's body and makes its outcome the exit code: what it returns, or 1 after a failure in words.
 *
 * A signal ends it by way of `exit`, so that what was started is ended as well.
 * @param {() => Promise<number>} body
 */
export async function runScript(body) {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
  try {
    process.exitCode = await body()
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : describe(error)}\n`)
    process.exitCode = 1
  }
}

/** @param {unknown} error */
function describe(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** More turns of the loop than anything in memory takes to be answered, however many answers follow on each other. */
const turns = 20

/**
 * Resolves when whatever waits for memory alone has had its answer: for tests without a disk, a network or a timer, where
 * a number of turns is a fact about the code and not about the machine.
 */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

import path from 'node:path'
import { newPerson } from './electron/environment.mjs'
import { launchApp } from './electron/launch.mjs'
import { isRoot, root } from './setup/project.mjs'
import { createGuide, emptyFolder } from './tour/guide.mjs'
import { walk } from './tour/walk.mjs'

const pictures = path.join(root, 'out', 'tour')

/**
 * Walks through the built app as a new person would, in the real Electron, and leaves a picture of every step.
 *
 * Uses names and roles alone, as a screen reader does: what it cannot find, others cannot find either.
 * @param {string} executable
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} the exit code
 */
export async function takeTour(executable, env) {
  const shown = path.relative(process.cwd(), pictures) || '.'
  emptyFolder(pictures)
  console.log(`Skein's tour; pictures go to ${shown}/`)
  const person = newPerson(env)
  const guide = createGuide({ folder: pictures, tell: console.log })
  const launched = await launchApp({
    executable,
    env: person.env,
    sandbox: !isRoot(),
  }).catch((error) => {
    person.remove()
    throw error
  })
  try {
    await walk(launched, guide)
    if (launched.problems.length === 0) {
      console.log('The tour is done, and nothing went wrong on the way.')
      return 0
    }
    console.error(
      `The tour came to its end, but not all was well:\n${launched.problems.join('\n')}`,
    )
    return 1
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    console.error(`The tour stopped: ${words}\n${listed(launched.problems)}`)
    return 1
  } finally {
    await launched.close()
    person.remove()
  }
}

/**
 * Each once, with how often it came.
 * @param {readonly string[]} problems
 */
function listed(problems) {
  return [...new Set(problems)]
    .map((each) => [problems.filter((other) => other === each).length, each])
    .map(([times, each]) => (times === 1 ? `  ${each}` : `  ${each} (${times} times)`))
    .join('\n')
}

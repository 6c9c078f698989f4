import { spawn } from 'node:child_process'
import path from 'node:path'
import { electronPath, type Person } from './app'

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * Starts Skein once more, as a file manager or a browser does; resolves to its exit code and words when it has ended.
 *
 * @param folder the working folder
 * @param last its last words: then a dialog waits for a person, and it is ended
 */
export async function startAgain(
  person: Person,
  args: readonly string[],
  folder: string = root,
  last?: string,
): Promise<{ readonly code: number | null; readonly words: string }> {
  // An installed app knows its own code.
  const app = process.env.SKEIN_INSTALLED === undefined ? [root] : []
  const child = spawn(electronPath(), ['--no-sandbox', ...app, ...args], {
    env: person.env,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
    if (last !== undefined && words.includes(last)) child.kill('SIGKILL')
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, words }
}

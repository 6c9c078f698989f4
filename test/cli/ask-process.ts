import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { openPlugins } from '../../src/main/plugins/plugins'
import { skeinHere } from './skein-here'

/** What a person has around `skein ask`: a home, a folder for files, and settings of their own. */
export interface AskPlace {
  readonly home: string
  readonly work: string
  readonly user: string
}

export const key = 'sk-ask-0123456789abcdef'

/** Runs a program behind a terminal of its own, where the system has it. */
export const terminalProgram = 'script'

/** Whether it has. */
export function hasTerminal(): boolean {
  return spawnSync(terminalProgram, ['-qefc', 'true', '/dev/null']).status === 0
}

/** Makes them below a folder; files may be written in `work`. */
export function askPlace(folder: string): AskPlace {
  const place = {
    home: path.join(folder, 'home'),
    work: path.join(folder, 'work'),
    user: path.join(folder, 'user'),
  }
  for (const one of Object.values(place)) fs.mkdirSync(one)
  const allowed = JSON.stringify([place.work])
  fs.writeFileSync(path.join(place.home, 'config.toml'), `file_tools_allowed_paths = ${allowed}\n`)
  return place
}

/** Trusts a plugin of the home, as a person does in the window. */
export async function trustPlugin({ home, user }: AskPlace, name: string): Promise<void> {
  const plugins = openPlugins({
    home,
    userFolder: path.join(user, 'config/Skein'),
    environment: process.env,
    builtInNames: [],
  })
  await plugins.trust(name, (await plugins.look(name)).hash)
  await plugins.close()
}

export interface Asked {
  readonly code: number | null
  readonly out: string
  readonly words: string
}

/**
 * Runs `skein ask` against a base URL: as a process of its own where somebody types, looks at its output meanwhile or asks
 * for that, else in this one.
 */
export async function skeinAsk(
  program: string,
  place: AskPlace,
  url: string,
  argv: readonly string[],
  more: {
    readonly input?: string
    /** Called with all that came on standard output so far. */
    readonly seen?: (out: string, kill: (signal: NodeJS.Signals) => void) => void
    /** Runs it behind a terminal, as `script` makes one, with these words typed when a question stands there. */
    readonly types?: readonly string[]
    readonly own?: 'process'
  } = {},
): Promise<Asked> {
  if (more.types === undefined && more.seen === undefined && more.own === undefined) {
    const { input = '' } = more
    return skeinHere(['ask', '--home', place.home, ...argv], askEnvironment(place, url), { input })
  }
  const args = [program, 'ask', '--home', place.home, ...argv]
  const line = [process.execPath, ...args].map((one) => `'${one.replaceAll("'", `'\\''`)}'`)
  const child =
    more.types === undefined
      ? spawn(process.execPath, args, { env: askEnvironment(place, url) })
      : spawn(terminalProgram, ['-qefc', line.join(' '), '/dev/null'], {
          env: askEnvironment(place, url),
        })
  let out = ''
  let words = ''
  const typed = [...(more.types ?? [])]
  let answered = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    more.seen?.(out, (signal) => child.kill(signal))
    const asked = out.split(/\[n\] no: |y, a or n: /).length - 1
    for (; answered < asked && typed.length > 0; answered++) child.stdin.write(`${typed.shift()}\n`)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text
  })
  child.stdin.on('error', () => {}) // It may be gone before it reads.
  if (more.types === undefined) child.stdin.end(more.input ?? '')
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, out, words }
}

/** What a command has around it: settings and caches of its own, and a model at this base URL. */
export function askEnvironment({ user }: AskPlace, url: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: user,
    XDG_CONFIG_HOME: path.join(user, 'config'),
    XDG_CACHE_HOME: path.join(user, 'cache'),
    CHIBI_BASE_URL: url,
    CHIBI_MODEL: 'practice',
    CHIBI_API_KEY: key,
  }
}

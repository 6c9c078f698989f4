import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { newPerson } from '../../../scripts/electron/environment.mjs'
import { type Launched, launchApp } from '../../../scripts/electron/launch.mjs'
import { isRoot } from '../../../scripts/setup/project.mjs'
import { type Dialogs, scriptDialogs } from './dialogs'
import { ownDisplay } from './own-display'

export interface SkeinOptions {
  /** A chibi home; without one the app starts as for somebody who has never run it. */
  readonly home?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whose folders are used; a new person's where none is given. Two launches share one to be the same person's. */
  readonly person?: Person
}

export interface Skein extends Launched {
  readonly person: Person
  /** What main asks outside of the page; everything is refused until told otherwise. */
  readonly dialogs: Dialogs
}

/** Somebody with a home folder of their own. */
export interface Person {
  readonly folder: string
  readonly env: Record<string, string>
}

/** A person who has never run Skein; removed when the test has ended. */
export function createPerson(): Person {
  const person = newPerson(ownDisplay())
  onTestFinished(person.remove)
  return person
}

/** Starts the built Skein in the real Electron. It is ended, and its folders removed, when the test has ended. */
export async function launchSkein(options: SkeinOptions = {}): Promise<Skein> {
  const person = options.person ?? createPerson()
  const launched = await launchApp({
    executable: electronPath(),
    args: [
      ...(options.home === undefined ? [] : ['--home', options.home]),
      ...(options.args ?? []),
    ],
    env: { ...person.env, ...options.env },
    sandbox: !isRoot(),
  })
  onTestFinished(launched.close)
  return { ...launched, person, dialogs: await scriptDialogs(launched.app) }
}

/** The Electron that the set-up found. */
export function electronPath(): string {
  const named = process.env.ELECTRON_EXEC_PATH
  if (named) return named
  return createRequire(import.meta.url)('electron') as string // as plain Node it exports the path
}

/** The entries that stand in a context's active partition now, as JSON. A line that is still being written is left out. */
export function activeEntries(home: string, context: string): readonly Record<string, unknown>[] {
  const file = path.join(home, 'contexts', context, 'transcript', 'active.jsonl')
  if (!fs.existsSync(file)) return []
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

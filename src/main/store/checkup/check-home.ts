import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { HomeFinding } from '../../../shared/model/checkup'
import { namesInFolder } from '../../disk/reading/read'
import { listContextNames } from '../contexts/listing'
import { toReadError } from '../core/errors'
import { homePaths } from '../core/home-paths'
import { contextFindings } from './context-findings'
import { type CheckupScope, homeFindings } from './home-files'
import { rememberSalvages } from './salvage'

/** The findings in the files of a home. */
export interface StoreCheckup {
  readonly contexts: number
  readonly findings: readonly HomeFinding[]
  /** The names of the contexts of which all was looked at. */
  readonly looked: ReadonlySet<string>
}

/**
 * Finds everything that is wrong with the files of a home; changes nothing. Reads all transcripts.
 *
 * @param progress is called before each context
 * @throws AppError `not-found` there is no home, `unreadable` its folders cannot be listed; the signal's reason
 */
export async function checkStore(
  scope: CheckupScope,
  progress: (done: number, all: number) => void,
  signal: AbortSignal,
): Promise<StoreCheckup> {
  const { disk, home } = scope
  const paths = homePaths(home)
  try {
    if ((await disk.stat(home))?.kind !== 'directory')
      throw new AppError('not-found', `There is no home at ${home}.`)
    const names: string[] = []
    for (const name of await listContextNames(disk, paths)) {
      const stat = await disk.stat(path.join(paths.contexts, name)).catch(() => undefined)
      if (stat?.kind === 'directory') names.push(name)
    }
    await namesInFolder(disk, home)
    const looked = new Set<string>()
    const salvages = rememberSalvages(scope)
    const findings = [...(await homeFindings(scope, names, signal))]
    for (const [at, name] of names.entries()) {
      progress(at, names.length)
      const found = await contextFindings({ ...scope, salvages }, name, signal)
      findings.push(...found.findings)
      if (found.isWhole) looked.add(name)
    }
    return { contexts: names.length, findings, looked }
  } catch (error) {
    throw toReadError(home, error)
  }
}

import { shownPath } from '../../main/disk/interface/shown-path'
import type { FileVerdict } from '../../main/store/store'
import { pushAll } from '../../shared/model/basics/long-lists'
import { countWithNoun } from '../../shared/model/basics/plural'
import type { Command } from '../command/command'
import { isUnreadable } from '../conversations/tolerant-reader'
import { withHome } from '../homes/open-home'
import { jsonOutput, terminalText } from '../terminal/output'

/** Command `skein verify`. */
export const verifyCommand: Command = {
  name: 'verify',
  synopsis: '',
  summary: 'checks every line of the home, and the seals of archived partitions',
  flags: [],
  async run(context) {
    const { args, output, signal } = context
    const files: FileVerdict[] = []
    const unreadable: Unreadable[] = []
    /** Does a check, and keeps why it could not: the others are done all the same. */
    const tried = async (name: string, check: () => Promise<void>) => {
      try {
        await check()
      } catch (error) {
        if (signal.aborted || !isUnreadable(error)) throw error
        unreadable.push({ context: name, reason: error.message })
      }
    }
    for (const root of args.roots)
      if (root.source === 'chibi')
        await withHome(context, root, ({ home: { path, contexts } }) =>
          tried(shownPath(path), async () => {
            for (const { name } of await contexts.list(signal))
              await tried(name, async () => {
                pushAll(files, await contexts.verify(name, signal))
              })
          }),
        )
    const ok = unreadable.length === 0 && files.every((file) => file.ok)
    if (args.json) {
      await output.write(jsonOutput({ files, unreadable, ok }))
      return ok ? 0 : 1
    }
    for (const file of files) await output.write(`${sentence(file)}\n`)
    for (const { context, reason } of unreadable)
      output.say(`${terminalText(context)}: ${terminalText(reason)}`)
    output.say(summary(files, unreadable.length))
    return ok ? 0 : 1
  },
}

/** A context that could not be checked. */
interface Unreadable {
  readonly context: string
  readonly reason: string
}

function summary(files: readonly FileVerdict[], unreadable: number): string {
  const sealed = files.filter((file) => file.sealed)
  const changed = sealed.filter((file) => !file.ok).length
  const damaged = files.reduce((sum, file) => sum + file.damaged, 0)
  const unread = files.filter((file) => !file.sealed && !file.ok).length
  return [
    `${countWithNoun(files.length, 'file')}, ${sealed.length} sealed`,
    changed > 0
      ? `${changed} changed since sealed`
      : unread > 0
        ? 'no seal that can be read is broken'
        : 'every seal holds',
    ...(unread === 0 ? [] : [`${countWithNoun(unread, 'file')} of seals damaged`]),
    countWithNoun(damaged, 'damaged line'),
    ...(unreadable === 0 ? [] : [`${countWithNoun(unreadable, 'conversation')} cannot be read`]),
  ].join('; ')
}

function sentence(file: FileVerdict): string {
  const counts = `${terminalText(file.file)}  ${file.lines} lines, ${file.damaged} damaged`
  if (!file.sealed)
    return file.ok ? `${counts}, not sealed` : `${counts}: what these lines sealed is not known`
  const added = file.addedBytes === undefined ? undefined : countWithNoun(file.addedBytes, 'byte')
  if (file.ok)
    return `${counts}, sealed${added === undefined ? '' : `; ${added} added after it was sealed`}`
  const where = file.firstChangedByte === undefined ? '' : ` from byte ${file.firstChangedByte} on`
  if (added === undefined) return `${counts}, CHANGED${where} since it was sealed`
  return `${counts}, CHANGED: ${added} added${where}; what was sealed is unchanged`
}

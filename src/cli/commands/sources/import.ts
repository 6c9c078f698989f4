import path from 'node:path'
import { shownPath } from '../../../main/disk/interface/shown-path'
import { nodeDisk } from '../../../main/disk/node/node-disk'
import { type Imported, importExport } from '../../../main/library/imports'
import { readers } from '../../../main/readers/index'
import { importsFolder, skeinFolder } from '../../../main/settings/user-folders'
import { AppError } from '../../../shared/model/basics/errors'
import { sourceLabel } from '../../../shared/model/conversation/sources'
import { importedSentences, otherSystems } from '../../../shared/model/settings/source-roots'
import { UsageError } from '../../command/arguments'
import type { Command } from '../../command/command'
import { jsonOutput, terminalText } from '../../terminal/output'

/** Command `skein import`. */
export const importCommand: Command = {
  name: 'import',
  synopsis: 'FILE...',
  summary:
    'keeps exports of ChatGPT, Claude.ai and other services, or JSONL that Skein wrote, and reads them from then on',
  flags: [],
  async run({ args, disk, environment, output, signal }) {
    if (args.operands.length === 0) throw new UsageError('"skein import" needs a FILE or a folder.')
    const deps = {
      disk,
      plain: nodeDisk,
      readers,
      folder: importsFolder(environment),
      userFolder: skeinFolder(environment),
    }
    const imported: (Imported & { readonly from: string })[] = []
    let isWhole = true
    for (const operand of args.operands) {
      const from = path.resolve(operand)
      try {
        const one = await importExport(deps, from, () => undefined, signal)
        imported.push({ from, ...one })
        if (!args.json) await output.write(`${terminalText(sentence(from, one))}\n`)
        if (one.unread === undefined) continue
        isWhole = false
        output.say(`Not all of ${path.basename(from)} can be read: ${one.unread}`)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // The others are imported all the same.
        isWhole = false
        output.say(error.message)
      }
    }
    if (args.json) await output.write(jsonOutput({ imported }))
    return isWhole ? 0 : 1
  },
}

function sentence(from: string, { sources, place, isNew, conversations }: Imported): string {
  const name = path.basename(from)
  if (conversations !== undefined)
    return `${name}: ${importedSentences(conversations, otherSystems(sources)).join(' ')} ${shownPath(place)}`
  const systems = sources.map(sourceLabel).join(', ')
  return isNew
    ? `${name} (${systems}) was imported: ${shownPath(place)}`
    : `${name} (${systems}) was imported before: ${shownPath(place)}`
}

import type { FileVerdict } from '../../main/store/store'
import type { Command } from '../command'
import { chibiStores } from '../homes'
import { json } from '../output'

export const verify: Command = {
  name: 'verify',
  synopsis: '',
  summary: 'checks every line of the home, and the seals of archived partitions',
  flags: [],
  async run({ args, disk, output, signal }) {
    const files: FileVerdict[] = []
    for (const { store } of chibiStores(args, disk))
      for (const context of await store.listContexts(signal))
        files.push(...(await store.verify(context.name, signal)))
    const ok = files.every((file) => file.ok)
    if (args.json) await output.write(json({ files, ok }))
    else for (const file of files) await output.write(`${sentence(file)}\n`)
    if (!args.json)
      output.say(
        ok
          ? `${files.length} files, every seal holds.`
          : `${files.filter((file) => !file.ok).length} of ${files.length} files are not what was sealed.`,
      )
    return ok ? 0 : 1
  },
}

function sentence(file: FileVerdict): string {
  const counts = `${file.file}  ${file.lines} lines, ${file.damaged} damaged`
  if (!file.sealed) return `${counts}, not sealed`
  if (file.ok) return `${counts}, sealed`
  const where = file.firstChangedByte === undefined ? '' : ` from byte ${file.firstChangedByte} on`
  return `${counts}, CHANGED${where} since it was sealed`
}

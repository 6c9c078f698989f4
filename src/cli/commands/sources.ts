import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { shownPath } from '../../main/disk/interface/shown-path'
import type { HistoryReader } from '../../main/readers/common/reader'
import { readers } from '../../main/readers/index'
import { sourceLabel } from '../../shared/model/conversation/sources'
import type { Arguments } from '../command/arguments'
import type { Command } from '../command/command'
import { jsonOutput, terminalText } from '../terminal/output'

interface SourceRoot {
  readonly path: string
  /** `ok`, `missing`, or why it cannot be read. */
  readonly state: string
  readonly conversations: number
  readonly bytes: number
}

/** Command `skein sources`. */
export const sourcesCommand: Command = {
  name: 'sources',
  synopsis: '',
  summary: 'lists the systems that Skein reads, where it looks, and what is there',
  flags: [],
  async run({ args, disk, output, signal }) {
    const listed = []
    for (const reader of readers) {
      const roots: SourceRoot[] = []
      for (const root of rootsOf(reader, args)) roots.push(await lookAt(reader, root, disk, signal))
      listed.push({ id: reader.id, label: sourceLabel(reader.id), roots })
    }
    if (args.json) await output.write(jsonOutput({ sources: listed }))
    else
      for (const { label, roots } of listed)
        for (const root of roots)
          await output.write(
            terminalText(
              `${label.padEnd(10)}  ${String(root.conversations).padStart(6)}  ${shownPath(root.path)}${root.state === 'ok' ? '' : `  ${root.state}`}\n`,
            ),
          )
    const states = listed.flatMap(({ roots }) => roots.map(({ state }) => state))
    return states.every((state) => state === 'ok' || state === 'missing') ? 0 : 1
  },
}

/** Where a source's histories are looked for. */
function rootsOf(reader: HistoryReader, args: Arguments): readonly string[] {
  return args.roots.filter((root) => root.source === reader.id).map((root) => root.path)
}

async function lookAt(
  reader: HistoryReader,
  root: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<SourceRoot> {
  const folder = path.resolve(root)
  let conversations = 0
  let bytes = 0
  try {
    if ((await disk.stat(folder)) === undefined)
      return { path: folder, state: 'missing', conversations, bytes }
    for await (const ref of reader.list(folder, disk, signal)) {
      conversations += 1
      bytes += ref.bytes
    }
    return { path: folder, state: 'ok', conversations, bytes }
  } catch (error) {
    // One root that cannot be read must not hide the others.
    return {
      path: folder,
      state: error instanceof Error ? error.message : String(error),
      conversations,
      bytes,
    }
  }
}

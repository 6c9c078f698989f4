import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { seenFile } from '../common/composed/composing-in-threads'
import { recordFileRef } from '../common/composed/record-file-ref'
import { FirstFailure } from '../common/first-failure'
import type { LookElsewhere, SourceRef } from '../common/reader'
import { anyName, findLaid, type LaidFile, type Layout } from '../common/sessions/layout'
import { grokComposing, grokSessionFormat, grokSessionName, historyFile } from './records'

const log = 'updates.jsonl'

/** Layouts of sessions: the log of each, those of subagents below it, and what the model of one without a log was sent. */
export const grokLayouts: readonly Layout[] = [
  ['sessions', anyName, anyName, log],
  ['sessions', anyName, anyName, 'subagents', anyName, log],
  ['sessions', anyName, anyName, historyFile],
]

/** Lists the sessions under a root. One in which nothing was said is none. @throws AppError `unreadable` after all others */
export async function* listGrokBuild(
  root: string,
  disk: Disk,
  signal: AbortSignal,
  elsewhere?: LookElsewhere,
): AsyncGenerator<SourceRef> {
  const laid = await findLaid(grokLayouts, root, disk, signal)
  if (laid === undefined) return
  const by = { source: 'grok-build', format: grokSessionFormat, name: grokSessionName } as const
  const files: LaidFile[] = []
  const failure = new FirstFailure()
  for await (const one of failure.in(laid.files)) files.push(one)
  const seen = files.flatMap(({ file, found }) => seenFile(path.join(laid.base, file), found))
  await grokComposing.ahead(seen, signal, elsewhere)
  const keys = new Set<string>()
  const listed = new Set<string>()
  for (const one of files) {
    const { file, found } = one
    const folder = path.posix.dirname(file)
    // Where the log says something, it counts before what the model was sent.
    if (listed.has(folder)) continue
    const own = keyOf(one)
    // A session that was copied has its id in two folders.
    const key = keys.has(own) ? folder : own
    const { ref, about } = await recordFileRef(by, { root: laid.base, key, file, one: found }, disk)
    if (about?.said === 0) continue
    keys.add(key)
    listed.add(folder)
    yield ref
  }
  failure.throw()
}

function keyOf({ layout, names, file }: LaidFile): string {
  const own = names.at(-2) || file
  return layout === 1 && names[2] ? `${names[2]}/${own}` : own
}
